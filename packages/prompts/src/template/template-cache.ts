import { BoundedMap } from '@minions/core/json'

const MAX_ENTRIES = 500
/** Longer templates are compiled each time: at this size a cache saves little and could hold too much. */
const MAX_SOURCE_LENGTH = 256 * 1024

/** Keeps the most recently used values by source text, at most 500. */
export class TemplateCache<Value> {
  readonly #create: (source: string) => Value
  readonly #entries = new BoundedMap<string, Value>(MAX_ENTRIES)
  #newest: string | undefined

  constructor(create: (source: string) => Value) {
    this.#create = create
  }

  get size(): number {
    return this.#entries.size
  }

  get(source: string): Value {
    const known = this.#entries.get(source)
    if (known === undefined) return this.#add(source)
    if (source !== this.#newest) {
      this.#entries.set(source, known)
      this.#newest = source
    }
    return known
  }

  #add(source: string): Value {
    const value = this.#create(source)
    if (source.length > MAX_SOURCE_LENGTH) return value
    this.#entries.set(source, value)
    this.#newest = source
    return value
  }
}
