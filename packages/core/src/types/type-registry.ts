import { coreError } from '../errors/codes.js'
import { guardMethods } from '../errors/guard.js'
import type { MinionType } from '../schemas/minion-type.js'
import { builtinLayers, builtinTypes } from './builtin-types.js'
import { freezeType } from './freeze-type.js'
import type { Layer } from './layers.js'
import { minionTypeType } from './minion-type-type.js'
import { assertUsableType } from './type-problems.js'

export interface RegisterOptions {
  /** Id of a registered type with the same slug, which then refers to the new one; the old one keeps its id. */
  readonly takesSlugOf?: string | undefined
  /** The type is reachable only by its id, because its slug refers to another type. */
  readonly slugless?: boolean | undefined
  /** The layer that `listByLayer` and `layerOf` report. */
  readonly layer?: Layer | undefined
}

/**
 * The types in use, by id and by slug. Stores and returns frozen copies. The built-in type `minion-type`, by which
 * types are described, is found by id and slug but is not in the lists.
 */
export class TypeRegistry {
  readonly #byId = new Map<string, MinionType>()
  /** For each slug, the ids of the types that have it; the slug refers to the last one. */
  readonly #bySlug = new Map<string, readonly string[]>()
  readonly #layers = new Map<string, Layer>()

  constructor(loadBuiltins = true) {
    if (!loadBuiltins) return
    for (const type of [...builtinTypes, minionTypeType]) this.#add(type, { layer: builtinLayers.get(type.id) })
  }

  /** Adds a type and returns it as it was registered. Throws `INVALID_TYPE` or `ALREADY_REGISTERED`. */
  register<T extends MinionType>(type: T, options: RegisterOptions = {}): T {
    assertUsableType(type)
    if (this.#byId.has(type.id)) throw alreadyRegistered('id', type.id, type)
    if (!options.slugless) this.#assertSlugIsFree(type, options.takesSlugOf)
    const frozen = freezeType(type)
    this.#add(frozen, options)
    return frozen
  }

  /** Replaces the registered type with an evolved one that has the same id and slug. */
  replace<T extends MinionType>(type: T): T {
    assertUsableType(type)
    const current = this.#byId.get(type.id)
    if (current === undefined) throw notFound(type.id)
    if (current.slug !== type.slug) {
      throw coreError('INVALID_TYPE', `Type "${type.id}" has the slug "${current.slug}", which cannot be changed.`, {
        details: { id: type.id, slug: current.slug },
      })
    }
    const frozen = freezeType(type)
    this.#byId.set(frozen.id, frozen)
    return frozen
  }

  getById(id: string): MinionType | undefined {
    return this.#byId.get(id)
  }

  getBySlug(slug: string): MinionType | undefined {
    const id = this.#bySlug.get(slug)?.at(-1)
    return id === undefined ? undefined : this.#byId.get(id)
  }

  /** All types in the order of their registration. */
  list(): MinionType[] {
    return [...this.#byId.values()].filter((type) => type.id !== minionTypeType.id)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Removes a type; false when there is none with this id. Throws `PROTECTED` for a system type. */
  remove(id: string): boolean {
    const type = this.#byId.get(id)
    if (type === undefined) return false
    if (type.isSystem === true) {
      throw coreError('PROTECTED', `Type "${id}" is a system type and cannot be removed.`, { details: { id } })
    }
    this.#byId.delete(id)
    this.#layers.delete(id)
    const others = (this.#bySlug.get(type.slug) ?? []).filter((other) => other !== id)
    if (others.length === 0) this.#bySlug.delete(type.slug)
    else this.#bySlug.set(type.slug, others)
    return true
  }

  /** The layer of a type; undefined when it has none. */
  layerOf(id: string): Layer | undefined {
    return this.#layers.get(id)
  }

  listByLayer(layer: Layer): MinionType[] {
    return this.list().filter((type) => this.#layers.get(type.id) === layer)
  }

  #add(type: MinionType, { layer, slugless }: RegisterOptions): void {
    this.#byId.set(type.id, type)
    if (!slugless) this.#bySlug.set(type.slug, [...(this.#bySlug.get(type.slug) ?? []), type.id])
    if (layer !== undefined) this.#layers.set(type.id, layer)
  }

  #assertSlugIsFree(type: MinionType, takesSlugOf: string | undefined): void {
    const holder = this.getBySlug(type.slug)
    if (takesSlugOf === undefined) {
      if (holder !== undefined) throw alreadyRegistered('slug', type.slug, holder)
      return
    }
    const other = this.#byId.get(takesSlugOf)
    if (other === undefined) throw notFound(takesSlugOf)
    requireSlugOf(other, type)
    if (holder !== other) throw alreadyRegistered('slug', type.slug, holder ?? other)
  }
}

guardMethods(TypeRegistry, { except: ['getById', 'getBySlug', 'has', 'list'] })

/** Throws `INVALID_TYPE` unless a type has the slug that it takes over. */
export function requireSlugOf(holder: MinionType, { id, slug }: MinionType): void {
  if (holder.slug === slug) return
  const message = `Type "${id}" takes over the slug of "${holder.id}", so its slug must be "${holder.slug}".`
  throw coreError('INVALID_TYPE', message, { details: { id, slug, takesSlugOf: holder.id } })
}

function alreadyRegistered(what: 'id' | 'slug', value: string, holder: MinionType): Error {
  const message = `A type with the ${what} "${value}" is already registered; choose another ${what}.`
  return coreError('ALREADY_REGISTERED', message, { details: { [what]: value, registeredId: holder.id } })
}

function notFound(id: string): Error {
  return coreError('NOT_FOUND', `No type with the id "${id}" is registered; register it first.`, { details: { id } })
}
