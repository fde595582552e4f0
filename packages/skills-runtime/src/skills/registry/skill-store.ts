import type { StoreAccess, StoreTransaction } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import { skillsCollection } from '../../runtime/state/collections.js'
import { skillRecord } from '../definition/complete-skill.js'
import type { SkillRecord } from '../definition/skill-schema.js'
import { allVersions, type RefusedSkill, registerValid } from './register-valid.js'
import { differingSchema, type RegisteredSkill, type SkillRegistry } from './skill-registry.js'

export class SkillStore {
  readonly #registry: SkillRegistry
  readonly #store: StoreAccess
  /** The stored skills of this registry, by name and version. */
  #stored = new Map<string, RegisteredSkill>()
  /** The registry's snapshot when it was last stored; it makes a new one whenever it changes. */
  #seen: unknown
  #flushing: Promise<void> | undefined

  constructor(registry: SkillRegistry, store: StoreAccess) {
    this.#registry = registry
    this.#store = store
  }

  /** Restores the stored skills as records, which run once their code is registered. */
  async restore(): Promise<RefusedSkill[]> {
    const records: SkillRecord[] = []
    for await (const { record } of this.#store.iterate(skillsCollection)) {
      if (!this.#registry.hasSkill(record.name, record.version)) records.push(record)
    }
    const refused = registerValid(this.#registry, records)
    for (const { name, version } of records.filter(({ name, version }) => this.#registry.hasSkill(name, version))) {
      this.#stored.set(keyOf({ name, version }), this.#registry.getSkill(name, version))
    }
    return refused
  }

  /** Stores what changed since the last time. Throws `SKILL_MISMATCH` if a stored version has different schemas. */
  async flush(): Promise<void> {
    while (this.#seen !== this.#registry.skills) {
      this.#flushing ??= this.#write().finally(() => {
        this.#flushing = undefined
      })
      await this.#flushing
    }
  }

  get isFlushed(): boolean {
    return this.#seen === this.#registry.skills
  }

  async #write(): Promise<void> {
    const snapshot = this.#registry.skills
    const current = new Map([...allVersions(this.#registry)].map((skill) => [keyOf(skill), skill]))
    const changed = [...current.values()].filter((skill) => this.#stored.get(keyOf(skill)) !== skill)
    const removed = [...this.#stored.values()].filter((skill) => !current.has(keyOf(skill)))
    await this.#store.transaction(async (tx) => {
      for (const skill of changed) await putSkill(tx, skill)
      await tx.deleteMany(
        skillsCollection,
        removed.map(({ name, version }) => [name, version]),
      )
    })
    this.#stored = current
    this.#seen = snapshot
  }
}

async function putSkill(tx: StoreTransaction, skill: RegisteredSkill): Promise<void> {
  const record = skillRecord(skill)
  const stored = await tx.get(skillsCollection, [skill.name, skill.version])
  const field = stored && differingSchema(stored, record)
  if (field !== undefined) {
    const message = `The stored version ${skill.version} of "${skill.name}" has a different "${field}"; give the skill a new version.`
    throw skillsError('SKILL_MISMATCH', message, { details: { name: skill.name, version: skill.version, field } })
  }
  await tx.put(skillsCollection, record)
}

function keyOf({ name, version }: Pick<SkillRecord, 'name' | 'version'>): string {
  return `${name}@${version}`
}
