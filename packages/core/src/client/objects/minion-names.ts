import { MinionSchema } from '../../schemas/minion.js'
import type { MinionType } from '../../schemas/minion-type.js'
import { KnownNames, type NameTree } from '../../storage/known-names.js'
import type { Path } from '../../storage/path.js'
import { minionsCollection } from '../collections.js'

const attributes = Object.keys(MinionSchema.properties)

/** Minions of any type: their attributes are known, their fields are not. */
const ofAnyType = minionsCollection.naming(new KnownNames('A minion', treeOf(undefined), asField))

const ofType = new WeakMap<MinionType, typeof minionsCollection>()

/** Minions as queries see them: those of one type have exactly the fields of its schema. */
export function minionsNamed(type: MinionType | undefined): typeof minionsCollection {
  if (type === undefined) return ofAnyType
  let named = ofType.get(type)
  if (named === undefined) {
    const fields: NameTree = new Map(type.schema.map(({ name }) => [name, undefined]))
    named = minionsCollection.naming(new KnownNames(`A minion of type "${type.slug}"`, treeOf(fields)))
    ofType.set(type, named)
  }
  return named
}

function treeOf(fields: NameTree | undefined): NameTree {
  return new Map(attributes.map((name) => [name, name === 'fields' ? fields : undefined]))
}

function asField([name = '']: Path): string {
  return ` Write a field as "fields.${name.slice(0, 100)}".`
}
