/** A fragment of SQL with the values for its placeholders. */
export interface Fragment {
  readonly sql: string
  readonly values: readonly (string | number | null)[]
}

export function fragment(sql: string, ...values: (string | number | null)[]): Fragment {
  return { sql, values }
}

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  let text = ''
  const all: (string | number | null)[] = []
  for (const { sql, values } of fragments) {
    text += text === '' ? sql : separator + sql
    for (const value of values) all.push(value)
  }
  return { sql: text, values: all }
}

/** SQLite has no booleans. */
export function bindable(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

/** Joins several conditions as a balanced tree, because SQLite limits the nesting of expressions. */
export function combine(fragments: readonly Fragment[], operator: 'AND' | 'OR'): Fragment {
  if (fragments.length === 0) return fragment(operator === 'AND' ? '1' : '0')
  if (fragments.length === 1) return fragments[0] as Fragment
  const middle = fragments.length >> 1
  const first = combine(fragments.slice(0, middle), operator)
  const second = combine(fragments.slice(middle), operator)
  return { sql: `(${first.sql} ${operator} ${second.sql})`, values: [...first.values, ...second.values] }
}
