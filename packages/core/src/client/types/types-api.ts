import { guardMethods } from '../../errors/guard.js'
import type { MigrationOptions } from '../../evolution/migrate-fields.js'
import type { MigrationReport } from '../../evolution/plan-migration.js'
import type { FieldDefinition } from '../../schemas/field-definition.js'
import type { MinionType } from '../../schemas/minion-type.js'
import { takeBy } from '../door.js'
import { type EvolveOptions, evolve, planEvolution } from '../evolution/evolve.js'
import type { Session } from '../session.js'
import { type RegisterTypeOptions, registerType } from './type-store.js'

/** The types of a store. */
export class TypesApi {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  /** A type by id or slug. */
  get(idOrSlug: string): MinionType | undefined {
    return this.#session.types.find(idOrSlug)
  }

  /** All types: built in, given when the client was opened, and registered. */
  list(): MinionType[] {
    return this.#session.types.list()
  }

  /** Learns of types that other processes registered or evolved, so that `get` and `list` know them. */
  async refresh(): Promise<void> {
    await this.#session.types.refresh(this.#session.store)
  }

  /** Stores a new type. Throws `INVALID_TYPE` when it cannot be used and `ALREADY_REGISTERED` when id or slug is taken. */
  async register(type: MinionType, options?: RegisterTypeOptions): Promise<MinionType> {
    return registerType(this.#session, type, takeBy(options, 'register'))
  }

  /** Reports what `evolve` would do, without changing anything. */
  async planEvolution(
    slug: string,
    newSchema: readonly FieldDefinition[],
    options: MigrationOptions = {},
  ): Promise<MigrationReport> {
    return planEvolution(this.#session, slug, newSchema, options)
  }

  /**
   * Gives a type a new schema and migrates its minions in batches, each atomic. Minions read or updated meanwhile are
   * migrated on access; after a crash, opening the store resumes. `transform` converts values field by field; an
   * interrupted evolution with transforms waits until it is called again with them, or until a client that has them is
   * opened.
   */
  async evolve(
    slug: string,
    newSchema: readonly FieldDefinition[],
    options: EvolveOptions = {},
  ): Promise<MigrationReport> {
    return evolve(this.#session, slug, newSchema, takeBy(options, 'evolve'))
  }
}

guardMethods(TypesApi, { callsBack: ['evolve'] })
