import type { ReactNode } from 'react'

export interface PlainTableProps {
  readonly titles: readonly string[]
  readonly children: ReactNode
}

/** A table of few rows, all of which are in the page. */
export function PlainTable({ titles, children }: PlainTableProps) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          {titles.map((title, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same title
            <th key={index} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
