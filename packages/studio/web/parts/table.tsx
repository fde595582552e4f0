import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Share of the width, as CSS says it. */
  readonly width?: string
  /** Set where rows can be ordered by this column. */
  readonly sort?: { readonly direction: 'asc' | 'desc' | undefined; readonly onToggle: () => void }
}

export interface TableProps<Row> {
  /** What the rows are, for readers that cannot see them. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** True while the rows are those before the last change of what was asked for. */
  readonly isBusy?: boolean
  /** Asks for more rows; undefined when there are none. */
  readonly onNearEnd?: (() => void) | undefined
}

const ROW_HEIGHT = 40

/** The least width of a column that has none of its own; a narrow view scrolls sideways instead of hiding it. */
const LEAST_WIDTH = '12rem'

/** Rows beyond the view that are in the page, on each side. */
const OVERSCAN = 12

/** A table of any number of rows, of which only those in view are in the page. */
export function Table<Row>({ label, rows, columns, keyOf, isBusy = false, onNearEnd }: TableProps<Row>) {
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  })
  const visible = virtual.getVirtualItems()
  const first = visible[0]
  const last = visible.at(-1)
  useEffect(() => {
    if (onNearEnd && (last?.index ?? -1) >= rows.length - OVERSCAN) onNearEnd()
  }, [last?.index, rows.length, onNearEnd])
  const leastWidths = columns.map(({ width = LEAST_WIDTH }) => width)
  const before = first?.start ?? 0
  const after = virtual.getTotalSize() - (last?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-scroll" ref={scroller} aria-label={label} aria-busy={isBusy} tabIndex={0}>
      <table aria-rowcount={rows.length + 1} style={{ minWidth: `calc(${leastWidths.join(' + ')})` }}>
        <colgroup>
          {columns.map(({ title, width }) => (
            <col key={title} {...(width !== undefined && { style: { width } })} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ title, sort }) => (
              <th
                key={title}
                scope="col"
                {...(sort?.direction && { 'aria-sort': sort.direction === 'asc' ? 'ascending' : 'descending' })}
              >
                {sort ? (
                  <button type="button" className="sort" onClick={sort.onToggle}>
                    {title}
                    <span aria-hidden="true">
                      {sort.direction === 'asc' ? ' ↑' : sort.direction === 'desc' ? ' ↓' : ''}
                    </span>
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {visible.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <tr key={keyOf(row)} aria-rowindex={index + 2}>
                {columns.map(({ title, cell }) => (
                  <td key={title}>{cell(row)}</td>
                ))}
              </tr>
            )
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
    </section>
  )
}

function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className="spacer">
      <td style={{ height }} />
    </tr>
  )
}
