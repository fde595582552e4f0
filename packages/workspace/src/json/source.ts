/** A value in a JSON text, by its start and end. */
export interface SourceNode {
  readonly start: number
  end: number
  readonly kind: 'object' | 'list' | 'scalar'
  /** Members of an object, or elements of a list. */
  readonly parts: SourcePart[]
}

/** A member of an object, or an element of a list. */
interface SourcePart {
  /** The key, or the index as a string. */
  readonly key: string
  /** Start of the key; for an element, of its value. */
  readonly start: number
  readonly value: SourceNode
}

/** One token with the white space before it: punctuation, a string, or a number or word. */
const TOKEN = /[\t\n\r ]*(?:([{}[\]:,])|("[^"\\]*(?:\\.[^"\\]*)*")|([^\t\n\r {}[\]:,"]+))/gy

/** Parses a text that is known to be JSON, apart from the constants of Python, to any depth. */
export function readSource(text: string): SourceNode {
  const root: SourceNode = { start: 0, end: text.length, kind: 'list', parts: [] }
  const open = [root]
  let key: { readonly key: string; readonly start: number } | undefined
  for (const { 0: token, 1: mark, 2: string, 3: word, index } of text.matchAll(TOKEN)) {
    const container = open.at(-1) ?? root
    const end = index + token.length
    const start = end - (mark ?? string ?? word ?? '').length
    if (mark === ':' || mark === ',') continue
    if (mark === '}' || mark === ']') {
      container.end = end
      open.pop()
    } else if (string !== undefined && container.kind === 'object' && key === undefined) {
      key = { key: JSON.parse(string) as string, start }
    } else {
      const value: SourceNode = { start, end, kind: kindOf(mark), parts: [] }
      container.parts.push({ key: String(container.parts.length), start, ...key, value })
      key = undefined
      if (mark !== undefined) open.push(value)
    }
  }
  return root.parts[0]?.value ?? root
}

function kindOf(mark: string | undefined): SourceNode['kind'] {
  if (mark === undefined) return 'scalar'
  return mark === '{' ? 'object' : 'list'
}
