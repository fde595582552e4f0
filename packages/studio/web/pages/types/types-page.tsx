import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { MinionType } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { type Column, Table } from '../../parts/table.tsx'

const COLUMNS: readonly Column<MinionType>[] = [
  {
    title: 'Type',
    cell: ({ slug, name }) => (
      <Link to="/types/$slug" params={{ slug }}>
        {name}
      </Link>
    ),
  },
  { title: 'Slug', width: '14rem', cell: ({ slug }) => <code>{slug}</code> },
  { title: 'Fields', cell: ({ schema }) => schema.map(({ name }) => name).join(', ') },
  { title: 'Origin', width: '8rem', cell: ({ isSystem }) => (isSystem ? 'built-in' : 'custom') },
]

export function TypesPage() {
  const can = useCan()
  const { data: types = [], error } = useCall<readonly MinionType[]>('types.list')
  return (
    <div className="fill">
      <PageHead title="Types" about="The kinds of objects in this store, with their fields.">
        {can('types.create') && (
          <Link to="/types/new" className="button primary">
            New type
          </Link>
        )}
      </PageHead>
      <Failure title="The types cannot be shown" error={error} />
      <Table label="Types" rows={types} columns={COLUMNS} keyOf={({ id }) => id} />
    </div>
  )
}
