// @ts-check

/**
 * Why other languages could read a published schema differently, if so. Validators differ in the formats they assert, some
 * languages lack look-ahead or read `\d` and `\w` as any digit or letter, and `$` matches before a final line feed in Python.
 *
 * @param {Record<string, unknown>} document
 * @returns {string | undefined}
 */
export function portabilityProblem(document) {
  for (const { schema, pointer } of stringRules(document)) {
    if ('format' in schema) return `${pointer}/format is not asserted by every validator; write a pattern`
    const { pattern } = schema
    if (typeof pattern !== 'string') continue
    if (/\(\?[=!<]|\\[dwDW]/.test(pattern)) return `${pointer}/pattern uses look-around, \\d or \\w`
    if (/(?<!\\)\$/.test(pattern) && notPattern(schema) !== '\\n') {
      return `${pointer}/pattern lets a final line feed through in Python; add not: { pattern: '\\n' }`
    }
  }
  return undefined
}

/**
 * The patterns of a schema, each with the one that texts must not match.
 *
 * @param {Record<string, unknown>} document
 */
export function patternsOf(document) {
  return [...stringRules(document)].flatMap(({ schema }) =>
    typeof schema.pattern === 'string' ? [{ pattern: schema.pattern, not: notPattern(schema) }] : [],
  )
}

/** @param {Record<string, unknown>} schema */
function notPattern({ not }) {
  return typeof not === 'object' && not !== null && 'pattern' in not ? not.pattern : undefined
}

/**
 * Every object that has a format or a pattern as a schema does. Names of properties are texts too, but hold objects.
 *
 * @param {unknown} value
 * @param {string} [pointer]
 * @returns {Generator<{ schema: Record<string, unknown>, pointer: string }>}
 */
function* stringRules(value, pointer = '') {
  if (typeof value !== 'object' || value === null) return
  const schema = /** @type {Record<string, unknown>} */ (value)
  if (typeof schema.format === 'string' || typeof schema.pattern === 'string') yield { schema, pointer }
  for (const [key, child] of Object.entries(schema)) {
    if (key === 'not' && typeof schema.pattern === 'string') continue
    yield* stringRules(child, `${pointer}/${key}`)
  }
}
