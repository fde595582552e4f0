/** A reference in a step's input: its root, and the path from there. */
export interface Reference {
  /** `params`, or the id of a step. */
  readonly root: string
  /** The path into the parameters or the result. */
  readonly path: readonly string[]
  /** As it was written. */
  readonly text: string
}

/** A parsed text: literal pieces and references, in order. */
export type TemplatePart = string | Reference | BadReference

/** Something between `${` and `}` that is not a reference. */
interface BadReference {
  readonly text: string
  readonly problem: string
}

const SEGMENT = /^[^\s.{}$]+$/u
const PARAMETER_ROOTS: ReadonlySet<string> = new Set(['params', 'parameters'])

export function isReservedRoot(name: string): boolean {
  return PARAMETER_ROOTS.has(name)
}

/** Parses a text into literal pieces and references. `$${` is a literal `${`. Never throws. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let literal = ''
  let at = 0
  while (at < text.length) {
    if (text.startsWith('$${', at)) {
      literal += '${'
      at += 3
    } else if (text.startsWith('${', at)) {
      if (literal !== '') parts.push(literal)
      literal = ''
      const end = text.indexOf('}', at)
      const stop = end === -1 ? text.length : end + 1
      parts.push(
        end === -1 ? { text: text.slice(at), problem: 'is not closed by "}"' } : parseReference(text.slice(at, stop)),
      )
      at = stop
    } else {
      literal += text[at]
      at++
    }
  }
  if (literal !== '' || parts.length === 0) parts.push(literal)
  return parts
}

function parseReference(text: string): Reference | BadReference {
  const [root = '', ...rest] = text.slice(2, -1).trim().split('.')
  if (![root, ...rest].every((segment) => SEGMENT.test(segment))) {
    return { text, problem: 'must be a path such as params.area or detect.result.pose' }
  }
  if (isReservedRoot(root)) return { root: 'params', path: rest, text }
  if (rest[0] !== 'result') return { text, problem: `must continue with ".result" after the step "${root}"` }
  return { root, path: rest.slice(1), text }
}

/** Every string inside a value, at any depth. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) yield* textsIn(child)
}
