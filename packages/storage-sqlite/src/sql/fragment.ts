/** A piece of SQL with the values for its question marks. */
export interface Fragment {
  readonly sql: string
  readonly values: readonly (string | number | null)[]
}

export function fragment(sql: string, ...values: (string | number | null)[]): Fragment {
  return { sql, values }
}

/** Several pieces as one. */
export function join(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    sql: fragments.map(({ sql }) => sql).join(separator),
    values: fragments.flatMap(({ values }) => values),
  }
}

/** SQLite has no booleans. */
export function bindable(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

/** Several conditions as one. Halves of halves, because SQLite limits how deep an expression may be nested. */
export function combine(fragments: readonly Fragment[], operator: 'AND' | 'OR'): Fragment {
  const [first, second] = fragments
  if (first === undefined) return fragment(operator === 'AND' ? '1' : '0')
  if (second === undefined) return first
  const middle = fragments.length >> 1
  const halves = [fragments.slice(0, middle), fragments.slice(middle)].map((half) => combine(half, operator))
  const { sql, values } = join(halves, ` ${operator} `)
  return { sql: `(${sql})`, values }
}
