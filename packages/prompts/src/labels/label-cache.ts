import { getOrInsert } from '@minions/core/json'
import type { PromptAccess } from '../access.js'
import { type ReadyLabel, readLabel } from './label-reader.js'

/** Maximum number of cached labels. */
const MAX_ENTRIES = 10_000

/** Anything that may change the resolution of a label. */
export type Dependency = `name ${string}` | `minion ${string}` | `prompt ${string}`

interface Entry {
  readonly label: ReadyLabel
  readonly dependencies: readonly Dependency[]
}

/** Tells whether cached values can still be trusted. */
export interface Freshness {
  /** True once every change is reported to the cache; a promise while that is being set up. */
  isFresh(): boolean | Promise<boolean>
  stop(): void
}

/** Caches label resolutions until something they depend on changes. */
export class LabelCache {
  readonly #access: PromptAccess
  readonly #freshness: Freshness
  readonly #entries = new Map<string, Entry>()
  readonly #dependents = new Map<Dependency, Set<string>>()
  /** Counts changes: a value read while one arrived may be older than it. */
  #changes = 0

  constructor(access: PromptAccess, freshness: (cache: LabelCache) => Freshness) {
    this.#access = access
    this.#freshness = freshness(this)
  }

  get size(): number {
    return this.#entries.size
  }

  async read(idOrName: string, label: string): Promise<ReadyLabel> {
    const fresh = this.#freshness.isFresh()
    if (!(fresh === true || (await fresh))) return readLabel(this.#access, idOrName, label)
    const key = `${label} ${idOrName}`
    const known = this.#entries.get(key)
    if (known) return known.label
    const changes = this.#changes
    const read = await readLabel(this.#access, idOrName, label)
    if (changes === this.#changes) this.#keep(key, { label: read, dependencies: dependenciesOf(idOrName, read) })
    return read
  }

  /** Drops entries that depend on something that has changed. */
  forget(dependencies: Iterable<Dependency>): void {
    this.#changes += 1
    for (const dependency of dependencies) {
      for (const key of this.#dependents.get(dependency) ?? []) this.#remove(key)
    }
  }

  clear(): void {
    this.#changes += 1
    this.#entries.clear()
    this.#dependents.clear()
  }

  /** Closes the cache: from now on everything is read from the store. */
  stop(): void {
    this.#freshness.stop()
    this.clear()
  }

  #keep(key: string, entry: Entry): void {
    this.#remove(key)
    this.#entries.set(key, entry)
    for (const dependency of entry.dependencies) {
      getOrInsert(this.#dependents, dependency, () => new Set()).add(key)
    }
    const [oldest] = this.#entries.size > MAX_ENTRIES ? this.#entries.keys() : []
    if (oldest !== undefined) this.#remove(oldest)
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    for (const dependency of entry.dependencies) {
      const keys = this.#dependents.get(dependency)
      keys?.delete(key)
      if (keys?.size === 0) this.#dependents.delete(dependency)
    }
  }
}

/** The name may come to refer to another prompt, by being assigned or as the id of a new one. */
function dependenciesOf(idOrName: string, { prompt, targets }: ReadyLabel): Dependency[] {
  const dependencies = new Set<Dependency>([`name ${idOrName}`, `minion ${idOrName}`])
  for (const { id } of [prompt, ...targets.map(({ version }) => version)]) {
    dependencies.add(`minion ${id}`)
    dependencies.add(`prompt ${id}`)
  }
  for (const { ready } of targets) {
    for (const { id } of ready.declared) dependencies.add(`minion ${id}`)
    for (const { name, promptId, version } of ready.fragments) {
      dependencies.add(`name ${name}`)
      for (const id of [name, promptId, version.id]) dependencies.add(`minion ${id}`)
      for (const id of [promptId, version.id]) dependencies.add(`prompt ${id}`)
    }
  }
  return [...dependencies]
}
