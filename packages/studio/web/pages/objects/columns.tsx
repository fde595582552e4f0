import { Link } from '@tanstack/react-router'
import type { Minion, MinionType } from '../../data/records.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'

/** How the rows are ordered, and how that is changed. */
export interface Ordering {
  readonly field: string
  readonly descending: boolean
  readonly onOrder: (order: string) => void
}

/** Fields of a type that a table shows besides its own columns. */
const MOST_FIELDS = 3

const SHORT = new Set(['string', 'number', 'boolean', 'date', 'select', 'email', 'url'])

/** Columns for objects: of one type with its first fields, of all types with the type. */
export function objectColumns(
  types: readonly MinionType[],
  chosen: MinionType | undefined,
  ordering: Ordering | undefined,
): Column<Minion>[] {
  const sort = (field: string) => {
    if (!ordering) return {}
    const isThis = ordering.field === field
    const next = isThis && !ordering.descending ? `-${field}` : field
    return {
      sort: {
        direction: isThis ? (ordering.descending ? ('desc' as const) : ('asc' as const)) : undefined,
        onToggle: () => ordering.onOrder(next),
      },
    }
  }
  const fields = (chosen?.schema ?? []).filter(({ type }) => SHORT.has(type)).slice(0, MOST_FIELDS)
  return [
    {
      title: 'Title',
      ...sort('title'),
      cell: ({ id, title, deletedAt }) => (
        <>
          <Link to="/objects/$id" params={{ id }}>
            {title}
          </Link>
          {deletedAt && <Badge state="deleted" />}
        </>
      ),
    },
    ...(chosen
      ? fields.map(
          ({ name, label }): Column<Minion> => ({
            title: label ?? name,
            cell: ({ fields: values }) => text(values[name]),
          }),
        )
      : [
          {
            title: 'Type',
            width: '11rem',
            cell: ({ minionTypeId }: Minion) => types.find(({ id }) => id === minionTypeId)?.name ?? minionTypeId,
          },
        ]),
    { title: 'Status', width: '8rem', cell: ({ status }) => status && <Badge state={status} /> },
    { title: 'Tags', width: '10rem', cell: ({ tags = [] }) => tags.join(', ') },
    { title: 'Created', width: '9rem', ...sort('createdAt'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: 'Updated', width: '9rem', ...sort('updatedAt'), cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ]
}

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
