import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useCan } from '../../data/operations.ts'
import { describeError } from '../../data/query-client.ts'
import type { Minion, MinionType } from '../../data/records.ts'
import { useCall, useRows } from '../../data/use-call.ts'
import { Empty } from '../../parts/empty.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Table } from '../../parts/table.tsx'
import { objectColumns } from './columns.tsx'

/** Rows that are asked for at once. */
const PAGE = 100

const STATUSES = ['active', 'todo', 'in_progress', 'completed', 'cancelled']

type Filter = 'type' | 'q' | 'status' | 'tag' | 'order' | 'deleted'

/** Objects by type, status and words. All of it is in the address. */
export function ObjectsPage() {
  const { type, q = '', status, tag, order = '-createdAt', deleted } = useSearch({ from: '/objects' })
  const navigate = useNavigate({ from: '/objects' })
  const can = useCan()
  const { data: types = [] } = useCall<readonly MinionType[]>('types.list')
  const { data: counted } = useCall<{ count: number }>('objects.count', filters({ type, status, tag, deleted }), {
    enabled: q === '',
    keepPrevious: true,
  })
  const set = useCallback(
    (name: Filter, value: string | undefined) =>
      navigate({ search: (before) => ({ ...before, [name]: value || undefined }), replace: true }),
    [navigate],
  )
  const search = useCallback((text: string) => void set('q', text), [set])
  const chooseTag = useCallback((text: string) => void set('tag', text), [set])
  const chosen = types.find(({ slug }) => slug === type)
  const descending = order.startsWith('-')
  const field = descending ? order.slice(1) : order
  const { items, query, more } = useRows<Minion>(
    q === '' ? 'objects.find' : 'objects.search',
    {
      ...filters({ type, status, tag, deleted }),
      ...(q === '' ? { orderBy: [{ field, direction: descending ? 'desc' : 'asc' }] } : { text: q }),
      limit: PAGE,
    },
    { keepPrevious: true },
  )
  const { hasNextPage, error } = query
  const columns = objectColumns(
    types,
    chosen,
    q === '' ? { field, descending, onOrder: (next) => set('order', next) } : undefined,
  )
  return (
    <div className="fill">
      <PageHead title={chosen?.name ?? 'Objects'} about={about(q, items.length, hasNextPage, counted?.count)}>
        {can('objects.create') && (
          <Link to="/objects/new" search={type === undefined ? {} : { type }} className="button primary">
            New object
          </Link>
        )}
      </PageHead>
      <div className="filters">
        <SearchBox label="Search the text of objects" value={q} onChange={search} />
        <select aria-label="Type" value={type ?? ''} onChange={({ target }) => set('type', target.value)}>
          <option value="">All types</option>
          {types.map(({ id, slug, name }) => (
            <option key={id} value={slug}>
              {name}
            </option>
          ))}
        </select>
        <select aria-label="Status" value={status ?? ''} onChange={({ target }) => set('status', target.value)}>
          <option value="">Any status</option>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <SearchBox label="Tag" value={tag ?? ''} onChange={chooseTag} />
        <label className="check">
          <input
            type="checkbox"
            checked={deleted !== undefined}
            onChange={({ target }) => set('deleted', target.checked ? 'yes' : undefined)}
          />
          Deleted ones too
        </label>
      </div>
      {error && (
        <Notice kind="bad" title="The objects cannot be shown">
          {describeError(error)}
        </Notice>
      )}
      {query.isSuccess && items.length === 0 ? (
        <Empty title={q === '' ? 'There are no such objects' : 'Nothing fits'}>
          {q === '' ? 'Create one with “New object”, or choose another type.' : 'Try other words, or fewer filters.'}
        </Empty>
      ) : (
        <Table label="Objects" rows={items} columns={columns} keyOf={({ id }) => id} onNearEnd={more} />
      )}
    </div>
  )
}

function filters({
  type,
  status,
  tag,
  deleted,
}: { [Name in 'type' | 'status' | 'tag' | 'deleted']: string | undefined }) {
  return {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status: [status] }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(deleted !== undefined && { includeDeleted: true }),
  }
}

function about(q: string, shown: number, hasMore: boolean, count: number | undefined): string {
  if (q !== '')
    return hasMore ? `More than ${shown.toLocaleString()} fit “${q}”.` : `${shown.toLocaleString()} fit “${q}”.`
  return count === undefined ? 'Counting …' : `${count.toLocaleString()} ${count === 1 ? 'object' : 'objects'}.`
}
