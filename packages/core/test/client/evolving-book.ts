export const bookType = {
  id: 'book-type',
  name: 'Book',
  slug: 'book',
  schema: [{ name: 'author', type: 'string' }],
} as const

/** What its schema becomes. */
export const newSchema = [...bookType.schema, { name: 'shelf', type: 'string', defaultValue: 'new' }] as const

/** Turns of the microtask queue in which an evolution or a transaction in memory begins, commits and tells of it. */
export const MOST_STEPS = 120
