import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { Prompt } from '../../data/prompts.ts'
import { useRows } from '../../data/use-call.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'

const COLUMNS: readonly Column<Prompt>[] = [
  {
    title: 'Prompt',
    cell: ({ id, title }) => (
      <Link to="/prompts/$id" params={{ id }}>
        {title}
      </Link>
    ),
  },
  { title: 'Name', cell: ({ name }) => <code>{name}</code> },
  { title: 'Published', width: '8rem', cell: ({ publishedVersion = 0 }) => `version ${publishedVersion}` },
  { title: 'Variables', cell: ({ fields }) => fields.variables?.join(', ') },
  { title: 'Updated', width: '9rem', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]

export function PromptsPage() {
  const can = useCan()
  const { items, query, more } = useRows<Prompt>('prompts.list', { limit: 100 })
  return (
    <div className="fill">
      <PageHead title="Prompts" about="Versioned, tested and published. Missions and programs load them by name.">
        {can('prompts.create') && (
          <Link to="/prompts/new" className="button primary">
            New prompt
          </Link>
        )}
      </PageHead>
      <Failure title="The prompts cannot be shown" error={query.error} />
      {query.isSuccess && items.length === 0 ? (
        <Empty title="No prompts yet">
          {can('prompts.create') ? 'Create the first one with “New prompt”.' : 'This key cannot create one.'}
        </Empty>
      ) : (
        <Table label="Prompts" rows={items} columns={COLUMNS} keyOf={({ id }) => id} onNearEnd={more} />
      )}
    </div>
  )
}
