import { type Minion, type MinionsAccess, type MinionType, type Relation, validateFields } from '@minions/core'
import { isRecord, jsonEqual } from '@minions/core/json'
import { type Collection, minionsCollection, relationsCollection, searchableText } from '@minions/core/storage'
import { type ForeignContent, type ForeignProblem, type ForeignRecord, withoutNulls } from './foreign-content.js'
import { Refused } from './refused.js'
import { InlineList } from './sdk-yaml.js'

/** Number of records found, and how many of them are new to the store. */
export interface TakenIn {
  readonly read: Readonly<Record<'types' | 'minions' | 'relations', number>>
  readonly added: Readonly<Record<'types' | 'minions' | 'relations', number>>
}

/**
 * Imports the records of another program, all or nothing: ids, times and relations are kept, null becomes absent.
 * Throws `Refused` with every record that cannot be imported.
 */
export async function takeIn(app: MinionsAccess, content: ForeignContent): Promise<TakenIn> {
  return app.transaction((tx) => new Import(tx, content.problems).run(content))
}

class Import {
  readonly #tx: MinionsAccess
  readonly #problems: ForeignProblem[]

  constructor(tx: MinionsAccess, problems: readonly ForeignProblem[]) {
    this.#tx = tx
    this.#problems = [...problems]
  }

  async run({ types, minions, relations }: ForeignContent): Promise<TakenIn> {
    const addedTypes = await this.#types(types)
    const minionRecords = this.#checked(minions, minionsCollection, (record) => this.#minion(record))
    const relationRecords = this.#checked(relations, relationsCollection, (record) => withoutNulls(record) as Relation)
    await this.#checkAbsent(minionsCollection, minionRecords)
    await this.#checkEnds(relationRecords, minionRecords)
    await this.#checkAbsent(relationsCollection, relationRecords)
    if (this.#problems.length > 0) throw new Refused(this.#problems)
    const added = await this.#tx.importRecords({
      minions: [...minionRecords.values()],
      relations: [...relationRecords.values()],
    })
    return {
      read: { types: types.length, minions: minions.length, relations: relations.length },
      added: { types: addedTypes, minions: added.minions.length, relations: added.relations.length },
    }
  }

  /** A type that cannot be registered ends the import, since its minions could not be checked. */
  async #types(types: readonly ForeignRecord[]): Promise<number> {
    let added = 0
    for (const { where, record } of types) {
      const definition = withoutNulls(record) as MinionType
      if (this.#tx.types.get(String(definition.id))) continue
      try {
        await this.#tx.types.register(definition)
        added += 1
      } catch (error) {
        throw new Refused([...this.#problems, { where, message: (error as Error).message }])
      }
    }
    return added
  }

  #minion(record: Readonly<Record<string, unknown>>): Minion {
    const type = this.#tx.types.get(String(record.minionTypeId))
    if (!type) {
      throw new Error(
        `its type "${String(record.minionTypeId)}" is not known; create it first: minions types create --definition @type.json`,
      )
    }
    const fields = fieldsOf(type, record.fields)
    const [problem] = validateFields(fields, type.schema).errors
    if (problem) throw new Error(`the field "${problem.field}" ${problem.message}`)
    const tags = record.tags instanceof InlineList ? record.tags.texts() : record.tags
    const minion = { ...withoutNulls({ ...record, tags }), fields, minionTypeId: type.id } as Minion
    return { ...minion, searchableText: searchableText(minion) }
  }

  /** The records that are valid for their collection, by source. */
  #checked<R extends Minion | Relation>(
    records: readonly ForeignRecord[],
    collection: Collection,
    convert: (record: ForeignRecord['record']) => R,
  ): Map<string, R> {
    const checked = new Map<string, R>()
    const locations = new Map<string, string>()
    for (const { where, record } of records) {
      try {
        const converted = convert(record)
        collection.toWrite(converted, '')
        const other = locations.get(converted.id)
        if (other !== undefined) throw new Error(`"${other}" has the same id`)
        locations.set(converted.id, where)
        checked.set(where, converted)
      } catch (error) {
        this.#problems.push({ where, message: (error as Error).message })
      }
    }
    return checked
  }

  async #checkEnds(relations: Map<string, Relation>, minions: ReadonlyMap<string, Minion>): Promise<void> {
    const own = new Set([...minions.values()].map(({ id }) => id))
    for (const [where, { sourceId, targetId, type }] of relations) {
      const ends = type === 'integration_link' ? [sourceId] : [sourceId, targetId]
      const found = await this.#tx.storage.getMany(minionsCollection, ends)
      const missing = ends.find((end, index) => !found[index] && !own.has(end))
      if (missing === undefined) continue
      relations.delete(where)
      this.#problems.push({ where, message: `it relates "${missing}", which does not exist` })
    }
  }

  /** A record whose id another record in the store has cannot be imported. */
  async #checkAbsent<R extends Minion | Relation>(
    collection: Collection,
    records: ReadonlyMap<string, R>,
  ): Promise<void> {
    const all = [...records]
    const existing = await this.#tx.storage.getMany(
      collection,
      all.map(([, { id }]) => id),
    )
    for (const [index, [where, record]] of all.entries()) {
      const found = existing[index]
      if (!found || jsonEqual(found.record, record)) continue
      this.#problems.push({ where, message: `the store has a different record "${record.id}"` })
    }
  }
}

const TEXT_LISTS = new Set(['tags', 'multi-select'])

/** The fields without nulls; elements of string lists are strings whatever they look like. */
function fieldsOf(type: MinionType, value: unknown): Record<string, unknown> {
  const fields = withoutNulls(isRecord(value) ? value : {})
  for (const [name, field] of Object.entries(fields)) {
    if (!(field instanceof InlineList)) continue
    const isText = TEXT_LISTS.has(type.schema.find((each) => each.name === name)?.type ?? '')
    fields[name] = isText ? field.texts() : field.values()
  }
  return resolved(fields) as Record<string, unknown>
}

/** Removes lists that have not been parsed yet. */
function resolved(value: unknown): unknown {
  if (value instanceof InlineList) return value.values()
  if (Array.isArray(value)) return value.map(resolved)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]))
}
