import { setOwn } from '@minions/core/json'

const known = new WeakMap<object, Watched<unknown>>()

/**
 * A plain object of records with the list of its values, which is expensive to build for ten thousand keys, and an index
 * of them, as a large object looks a key up much slower than a map. Callers get `record` and may change it like any
 * object; list and index are then rebuilt, and `changes` tells others to do the same.
 */
export class Watched<T> {
  readonly record: Record<string, T>
  /** Number of changes to the object from outside this class. */
  changes = 0
  readonly #target: Record<string, T>
  #values: T[] | undefined
  #index: Map<string, T> | undefined

  private constructor(source: Readonly<Record<string, T>>) {
    const target: Record<string, T> = {}
    for (const key of Object.keys(source)) setOwn(target, key, source[key] as T)
    this.#target = target
    this.record = new Proxy(target, {
      defineProperty: (object, key, descriptor) => {
        this.#changed()
        return Reflect.defineProperty(object, key, descriptor)
      },
      deleteProperty: (object, key) => {
        this.#changed()
        return Reflect.deleteProperty(object, key)
      },
    })
    known.set(this.record, this)
  }

  /** The instance behind a record, or a new one for an external object. */
  static of<T>(record: Record<string, T>): Watched<T> {
    return (known.get(record) as Watched<T> | undefined) ?? new Watched(record)
  }

  get(key: string): T | undefined {
    this.#index ??= new Map(Object.entries(this.#target))
    return this.#index.get(key)
  }

  keys(): string[] {
    return Object.keys(this.#target)
  }

  values(): readonly T[] {
    this.#values ??= Object.values(this.#target)
    return this.#values
  }

  set(key: string, value: T): void {
    if (this.#values && !Object.hasOwn(this.#target, key)) this.#values.push(value)
    else this.#values = undefined
    this.#index?.set(key, value)
    setOwn(this.#target, key, value)
  }

  delete(key: string): void {
    this.#values = undefined
    this.#index?.delete(key)
    delete this.#target[key]
  }

  #changed(): void {
    this.changes++
    this.#values = undefined
    this.#index = undefined
  }
}
