import { setOwn } from '@minions/core/json'

/**
 * A one-line list of minions-sdk. Its writer omits most quotes, so only the schema can tell the string `12` from the
 * number.
 */
export class InlineList {
  readonly #items: readonly string[]

  constructor(items: readonly string[]) {
    this.#items = items
  }

  texts(): string[] {
    return this.#items.map((item) => unquoted(item) ?? item)
  }

  values(): unknown[] {
    return this.#items.map(scalar)
  }
}

/**
 * Reads the YAML that minions-sdk writes, which is a dialect: block strings have no chomping indicator, plain strings
 * may begin with anything, and an empty object is nothing at all. Throws an `Error` that names the line.
 */
export function readSdkYaml(text: string): Record<string, unknown> {
  return new Reader(text.replace(/\r?\n$/, '').split(/\r?\n/)).object(0)
}

class Reader {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  object(indent: number): Record<string, unknown> {
    const result: Record<string, unknown> = {}
    for (let line = this.#next(); line !== undefined && depthOf(line) === indent; line = this.#next()) {
      const [key, value] = this.#member(line.trimStart())
      this.#at += 1
      setOwn(result, key, this.#value(value, indent))
    }
    const rest = this.#next()
    if (rest !== undefined && depthOf(rest) > indent) throw this.#problem('has an unexpected indentation')
    return result
  }

  #value(text: string, indent: number): unknown {
    if (text === '|') return this.#block(' '.repeat(indent + 2))
    if (text !== '') return inlineList(text) ?? scalar(text)
    const next = this.#next()
    const depth = next === undefined ? 0 : depthOf(next)
    if (next === undefined || depth <= indent) return {}
    return next.startsWith('- ', depth) ? this.#list(depth) : this.object(depth)
  }

  /** Every line of a string has the same indentation, so it ends with the first line that does not. */
  #block(margin: string): string {
    const lines: string[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] ?? ''
      // Editors strip the indentation of empty lines.
      const goesOn = line.startsWith(margin) || (line === '' && this.#textFollows(margin))
      if (!goesOn) break
      lines.push(line.slice(margin.length))
    }
    return lines.join('\n')
  }

  #textFollows(margin: string): boolean {
    const next = this.#lines.slice(this.#at).find((line) => line !== '')
    return next?.startsWith(margin) ?? false
  }

  /** Elements that are objects; their members are on the level of the first member, whatever that is. */
  #list(indent: number): unknown[] {
    const result: unknown[] = []
    for (let line = this.#next(); line?.startsWith('- ', indent); line = this.#next()) {
      if (depthOf(line) !== indent) break
      const first = line.slice(indent + 2)
      if (!MEMBER.test(first)) {
        this.#at += 1
        result.push(scalar(first))
        continue
      }
      const members = [first]
      this.#at += 1
      for (let more = this.#next(); more !== undefined && depthOf(more) > indent; more = this.#next()) {
        members.push(more.trimStart())
        this.#at += 1
      }
      result.push(Object.fromEntries(members.map((member) => this.#flat(member))))
    }
    return result
  }

  #flat(text: string): [string, unknown] {
    const [key, value] = this.#member(text)
    if (value !== '' && value !== '|') return [key, inlineList(value)?.values() ?? scalar(value)]
    throw this.#problem(`belongs to a list whose "${key}" was written without its structure`)
  }

  #member(text: string): [string, string] {
    const [, key, value = ''] = MEMBER.exec(text) ?? []
    if (key === undefined) throw this.#problem('is not "name: value"')
    return [key, value]
  }

  /** The next line that is neither empty nor a comment. */
  #next(): string | undefined {
    while (this.#at < this.#lines.length && /^\s*(#|$)/.test(this.#lines[this.#at] ?? '')) this.#at += 1
    return this.#lines[this.#at]
  }

  #problem(what: string): Error {
    return new Error(`line ${Math.min(this.#at + 1, this.#lines.length)} ${what}`)
  }
}

const MEMBER = /^(.*?):(?: (.*))?$/

function depthOf(line: string): number {
  return line.length - line.trimStart().length
}

function scalar(text: string): unknown {
  if (text === 'null' || text === '~') return null
  if (text === 'true' || text === 'yes') return true
  if (text === 'false' || text === 'no') return false
  const inside = unquoted(text)
  if (inside !== undefined) return inside
  return Number.isNaN(Number(text)) ? text : Number(text)
}

function unquoted(text: string): string | undefined {
  if (/^".*"$/s.test(text) && text.length > 1) return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
  return /^'.*'$/s.test(text) && text.length > 1 ? text.slice(1, -1) : undefined
}

const ITEM = /("(?:\\"|[^"])*"|[^,]*)(?:, ?|$)/y

function inlineList(text: string): InlineList | undefined {
  if (!/^\[.*\]$/s.test(text)) return undefined
  const inner = text.slice(1, -1)
  const items: string[] = []
  for (ITEM.lastIndex = 0; ITEM.lastIndex < inner.length; ) items.push(ITEM.exec(inner)?.[1] ?? '')
  return new InlineList(items)
}
