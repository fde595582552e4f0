import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import { useCall } from '../../data/use-call.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import type { Workspace } from './workspace.ts'

const COLUMNS: readonly Column<Workspace>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link to="/workspaces/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Nodes', width: '6rem', cell: ({ nodes }) => Object.keys(nodes).length },
  { title: 'Rules', width: '6rem', cell: ({ rules }) => Object.keys(rules).length },
  { title: 'Updated', width: '9rem', cell: ({ updated_at }) => <Time at={updated_at} /> },
]

export function WorkspacesPage() {
  const can = useCan()
  const { data: workspaces = [], isSuccess, error } = useCall<readonly Workspace[]>('workspaces.list')
  return (
    <div className="fill">
      <PageHead title="Workspaces" about="Where agents work: each has a graph, rules, a folder and a memory.">
        {can('workspaces.add') && (
          <Link to="/workspaces/new" className="button primary">
            New workspace
          </Link>
        )}
      </PageHead>
      <Failure title="The workspaces cannot be shown" error={error} />
      {isSuccess && workspaces.length === 0 ? (
        <Empty title="No workspaces">
          {can('workspaces.add') ? 'Create the first one with “New workspace”.' : 'This key cannot create one.'}
        </Empty>
      ) : (
        <Table label="Workspaces" rows={workspaces} columns={COLUMNS} keyOf={({ id }) => id} />
      )}
    </div>
  )
}
