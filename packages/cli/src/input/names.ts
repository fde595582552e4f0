import { type Minion, type MinionType, nearestName, type UpdateMinionInput } from '@minions/core'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { note, oneLine } from '../output/output.js'

/** The attributes that a command line can change, with the option that sets each, if there is one. */
const ATTRIBUTES: ReadonlyMap<string, string | undefined> = new Map([
  ['title', '--title'],
  ['description', '--description'],
  ['tags', '--tag'],
  ['status', '--status'],
  ['priority', '--priority'],
  ['dueDate', '--due'],
  ['categoryId', undefined],
  ['folderId', undefined],
] satisfies [keyof UpdateMinionInput, string | undefined][])

/** Maximum number of names in a message. */
const LONGEST_LIST = 30

/** Warns about fields that a type does not have: they are stored all the same, but most likely misspelt. */
export function warnOfUnknownFields(
  cli: Cli,
  type: MinionType | undefined,
  fields: Readonly<Record<string, unknown>>,
  before: Minion['fields'] = {},
): void {
  if (type === undefined) return
  const known = type.schema.map(({ name }) => name)
  for (const name of Object.keys(fields)) {
    if (known.includes(name) || Object.hasOwn(before, name)) continue
    note(cli, `"${oneLine(name)}" was stored, but ${type.name} has no such field; ${guess(name, known)}`)
  }
}

/** The patch that removes fields and attributes. Throws `VALIDATION_FAILED` for a name that the minion cannot have. */
export function removing(names: readonly string[], minion: Minion, type: MinionType | undefined) {
  const known = new Set([...(type?.schema ?? []).map(({ name }) => name), ...Object.keys(minion.fields)])
  const unknown = names.find((name) => !known.has(name) && !ATTRIBUTES.has(name))
  if (unknown !== undefined) throw nothingToRemove(unknown, [...known, ...ATTRIBUTES.keys()], type)
  return {
    fields: cleared(names.filter((name) => known.has(name))),
    attributes: cleared(names.filter((name) => !known.has(name))),
  }
}

function cleared(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]))
}

function nothingToRemove(name: string, names: readonly string[], type: MinionType | undefined): Error {
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? listed(names) : `did you mean "${oneLine(nearest)}"?`
  return cliError('VALIDATION_FAILED', `${type?.name ?? 'The minion'} has no "${oneLine(name)}" to remove; ${hint}`, {
    details: { name, ...(nearest !== undefined && { nearest }) },
  })
}

/** The field that was most likely meant. */
function guess(name: string, fields: readonly string[]): string {
  const nearest = nearestName(name, [...fields, ...ATTRIBUTES.keys()])
  if (nearest === undefined) return fields.length === 0 ? 'it has none.' : listed(fields)
  return `did you mean ${(fields.includes(nearest) ? undefined : ATTRIBUTES.get(nearest)) ?? `"${nearest}"`}?`
}

function listed(names: readonly string[]): string {
  const more = names.length > LONGEST_LIST ? ` and ${names.length - LONGEST_LIST} more` : ''
  return `it has ${names.slice(0, LONGEST_LIST).map(oneLine).join(', ')}${more}.`
}
