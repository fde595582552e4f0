import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useCan } from '../../data/operations.ts'
import type { Minion, MinionType } from '../../data/records.ts'
import { useCall, useRows } from '../../data/use-call.ts'
import { Choice } from '../../parts/choice.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Table } from '../../parts/table.tsx'
import { objectColumns } from './columns.tsx'
import { STATUSES } from './object-schema.ts'
import { filtersOf, type ObjectsSearch, objectsQuery, orderOf } from './objects-query.ts'
import { typeOptions } from './type-options.ts'

/** Objects by type, status and words. All of it is in the address. */
export function ObjectsPage() {
  const filters = useSearch({ from: '/objects' })
  const { type, q = '', status, tag, deleted } = filters
  const navigate = useNavigate({ from: '/objects' })
  const can = useCan()
  const { data: types = [] } = useCall<readonly MinionType[]>('types.list')
  const set = useCallback(
    (name: keyof ObjectsSearch, value: string | undefined) =>
      navigate({ search: (before) => ({ ...before, [name]: value || undefined }), replace: true }),
    [navigate],
  )
  const search = useCallback((text: string) => void set('q', text), [set])
  const chooseTag = useCallback((text: string) => void set('tag', text), [set])
  const chosen = types.find(({ slug }) => slug === type)
  const { field, descending } = orderOf(filters)
  const { items, query, more } = useRows<Minion>(...objectsQuery(filters), { keepPrevious: true })
  // Counting a large store takes longer than reading its first rows, which must not wait for it.
  const { data: counted } = useCall<{ count: number }>('objects.count', filtersOf(filters), {
    enabled: q === '' && query.isSuccess,
    keepPrevious: true,
  })
  const { hasNextPage, error } = query
  const columns = objectColumns(
    types,
    chosen,
    q === '' ? { field, descending, onOrder: (next) => set('order', next) } : undefined,
  )
  return (
    <div className="fill">
      <PageHead
        title={chosen?.name ?? 'Objects'}
        about={error ? undefined : about(q, items.length, hasNextPage, counted?.count)}
      >
        {can('objects.create') && (
          <Link to="/objects/new" search={type === undefined ? {} : { type }} className="button primary">
            New object
          </Link>
        )}
      </PageHead>
      <div className="filters">
        <SearchBox label="Search the text of objects" value={q} onChange={search} />
        <Choice
          label="Type"
          any="All types"
          value={type}
          options={typeOptions(types)}
          onChoose={(next) => set('type', next)}
        />
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={STATUSES}
          onChoose={(next) => set('status', next)}
        />
        <SearchBox label="Tag" value={tag ?? ''} onChange={chooseTag} />
        <label className="check">
          <input
            type="checkbox"
            checked={deleted !== undefined}
            onChange={({ target }) => set('deleted', target.checked ? 'yes' : undefined)}
          />
          Include deleted
        </label>
      </div>
      <Failure title="The objects cannot be shown" error={error} />
      {query.isSuccess && items.length === 0 ? (
        <Empty title={q === '' ? 'No objects' : 'No matches'}>
          {q === '' && can('objects.create')
            ? 'Create one with “New object”, or change the filters.'
            : 'Try other words, or fewer filters.'}
        </Empty>
      ) : (
        <Table
          label="Objects"
          rows={items}
          columns={columns}
          keyOf={({ id }) => id}
          isBusy={query.isPlaceholderData}
          onNearEnd={more}
        />
      )}
    </div>
  )
}

function about(q: string, shown: number, hasMore: boolean, count: number | undefined): string {
  if (q !== '')
    return `${shown.toLocaleString()}${hasMore ? ' or more' : ''} ${shown === 1 ? 'match' : 'matches'} for “${q}”.`
  return count === undefined ? 'Counting …' : `${count.toLocaleString()} ${count === 1 ? 'object' : 'objects'}.`
}
