import { isRecord, jsonEqual } from '@minions/core/json'
import { readSource, type SourceNode } from './source.js'

/** JSON in the form the Python original writes: two spaces, everything beyond ASCII escaped. */
export function encode(value: unknown, indent = '  '): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, indent).replaceAll(/[\u0080-\uffff]/g, escaped)
}

/**
 * The text of a JSON object with other members. Members that are the same object as `before`, and unchanged values
 * inside the others, are kept byte for byte.
 */
export function editMembers(
  text: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string {
  const root = readSource(text)
  const indent = indentOf(text, root)
  const isSame = (key: string) => Object.hasOwn(before, key) && before[key] === after[key]
  return text.slice(0, root.start) + new Editor(text, indent).parts(root, after, 0, isSame) + text.slice(root.end)
}

/** The leading white space of a member of the outermost object; none when the text is one line. */
function indentOf(text: string, root: SourceNode): string {
  const [first] = root.parts
  if (!first) return '  '
  return /\n([\t ]*)$/.exec(text.slice(root.start, first.start))?.[1] ?? ''
}

class Editor {
  readonly #text: string
  readonly #indent: string

  constructor(text: string, indent: string) {
    this.#text = text
    this.#indent = indent
  }

  /** A container with the parts of `value`: existing ones in their order, then new ones. */
  parts(node: SourceNode, value: object, depth: number, isSame: (key: string) => boolean): string {
    const next = new Map<string, unknown>(Object.entries(value))
    // The last of several members with the same key wins.
    const counting = new Map(node.parts.map((part) => [part.key, part]))
    const [first] = node.parts
    const lead = first ? this.#text.slice(node.start + 1, first.start) : this.#line(depth + 1)
    let result = ''
    for (const [index, part] of node.parts.entries()) {
      const { key, start, value: old } = part
      if (!next.has(key)) continue
      const isKept = isSame(key) || counting.get(key) !== part
      result += result === '' ? lead : this.#between(node, index)
      result += this.#text.slice(start, old.start)
      result += isKept ? this.#raw(old) : this.#value(old, next.get(key), depth + 1)
    }
    for (const { key } of node.parts) next.delete(key)
    for (const [key, member] of next) {
      const name = node.kind === 'object' ? `${encode(key)}: ` : ''
      result += `${result === '' ? '' : ','}${lead}${name}${this.#encoded(member, depth + 1)}`
    }
    const [open, close] = node.kind === 'object' ? '{}' : '[]'
    return result === '' ? `${open}${close}` : `${open}${result}${this.#tail(node, depth)}${close}`
  }

  #value(node: SourceNode, value: unknown, depth: number): string {
    if (jsonEqual(JSON.parse(this.#raw(node)), value)) return this.#raw(node)
    const isAlike = node.kind === 'list' ? Array.isArray(value) : node.kind === 'object' && isRecord(value)
    return isAlike ? this.parts(node, value as object, depth, () => false) : this.#encoded(value, depth)
  }

  /** The comma and the white space between a part and the one before it. */
  #between(node: SourceNode, index: number): string {
    return this.#text.slice(node.parts[index - 1]?.value.end, node.parts[index]?.start)
  }

  #tail(node: SourceNode, depth: number): string {
    const last = node.parts.at(-1)
    return last ? this.#text.slice(last.value.end, node.end - 1) : this.#line(depth)
  }

  #encoded(value: unknown, depth: number): string {
    return encode(value, this.#indent).replaceAll('\n', this.#line(depth))
  }

  #line(depth: number): string {
    return this.#indent === '' ? '' : `\n${this.#indent.repeat(depth)}`
  }

  #raw({ start, end }: SourceNode): string {
    return this.#text.slice(start, end)
  }
}
