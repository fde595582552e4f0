import { coreError } from '../../errors/codes.js'
import { byName } from '../../evolution/migrate-fields.js'
import { jsonEqual } from '../../json/equal.js'
import type { FieldDefinition } from '../../schemas/field-definition.js'
import type { MinionType } from '../../schemas/minion-type.js'
import type { StorageProblem } from '../../storage/backend.js'

const ANSWERS = ['fail', 'evolve', 'keep'] as const

/** Policy for a type whose stored schema differs from the one in code. */
export type OnTypeDiffers = (typeof ANSWERS)[number]

/** A type given in code that is stored with a different schema. */
export interface DifferingType {
  readonly inCode: MinionType
  readonly stored: MinionType
}

export function checkOnTypeDiffers(value: unknown): asserts value is OnTypeDiffers {
  if (ANSWERS.includes(value as OnTypeDiffers)) return
  throw coreError('VALIDATION_FAILED', `\`onTypeDiffers\` must be one of ${ANSWERS.join(', ')}.`)
}

export function typesDiffer(types: readonly DifferingType[]): Error {
  const told = types.map((type) => `"${type.inCode.slug}" (${differences(type).join('; ')})`)
  return coreError(
    'TYPE_DIFFERS',
    `The schema in the store differs from the one in code for ${told.join(', ')}; evolve the type, or open with \`onTypeDiffers\` "evolve" or "keep".`,
    { details: { types: types.map(factsOf) } },
  )
}

/** The problem that a client reports and logs when it continues with the stored type. */
export function typeDiffers(type: DifferingType): StorageProblem {
  return {
    code: 'TYPE_DIFFERS',
    message: `The schema of type "${type.inCode.slug}" in the store differs from the one in code, and the stored one is used (${differences(type).join('; ')}); call types.evolve, or open with \`onTypeDiffers\`.`,
    details: factsOf(type),
  }
}

function factsOf(type: DifferingType) {
  const { id, slug } = type.inCode
  return { id, slug, differences: differences(type) }
}

/** One sentence for each differing field, in the order of the schema in code, then of the stored one. */
function differences({ inCode, stored }: DifferingType): string[] {
  const [there, here] = [byName(stored.schema), byName(inCode.schema)]
  const told = inCode.schema.flatMap((field) => {
    const other = there.get(field.name)
    return other && jsonEqual(other, field) ? [] : [`${field.name}: ${difference(field, other)}`]
  })
  const removed = stored.schema.filter(({ name }) => !here.has(name)).map(({ name }) => `${name}: only in the store`)
  return told.length + removed.length > 0 ? [...told, ...removed] : ['the fields are in a different order']
}

function difference(field: FieldDefinition, other: FieldDefinition | undefined): string {
  if (other === undefined) return 'only in code'
  if (other.type !== field.type) return `${field.type} in code, ${other.type} in the store`
  const names = [...new Set([...Object.keys(field), ...Object.keys(other)])] as (keyof FieldDefinition)[]
  return `differs in ${names.filter((name) => !jsonEqual(field[name], other[name])).join(', ')}`
}
