import type { FieldDefinition, MinionType } from '@minions/core'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { parseJson, readContent, readObject } from './content.js'

export interface FieldOptions {
  readonly field?: readonly (readonly [string, string])[]
  readonly fields?: string
  readonly content?: string
}

/** The fields of a command line: `--fields`, then `--content`, then each `--field`, parsed by its type. */
export async function readFields(
  cli: Cli,
  type: MinionType | undefined,
  { field = [], fields, content }: FieldOptions,
): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown>(
    fields === undefined ? [] : Object.entries(await readObject(cli, fields, '--fields')),
  )
  if (content !== undefined) values.set('content', await readContent(cli, content))
  for (const [name, text] of field) {
    const definition = type?.schema.find((one) => one.name === name)
    values.set(name, definition === undefined ? text : readFieldValue(definition, text))
  }
  return Object.fromEntries(values)
}

/** A value as typed, parsed by its field. Throws `VALIDATION_FAILED` or `INVALID_JSON`. */
export function readFieldValue({ name, type }: Pick<FieldDefinition, 'name' | 'type'>, text: string): unknown {
  switch (type) {
    case 'number':
      return readNumber(name, text)
    case 'boolean':
      return readBoolean(name, text)
    case 'json':
    case 'array':
      return parseJson(text, `--field ${name}`)
    case 'tags':
    case 'multi-select':
      return text.trimStart().startsWith('[') ? parseJson(text, `--field ${name}`) : partsOf(text)
    default:
      return text
  }
}

function readNumber(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw wrong(name, `${name} must be a number`, text)
}

const YES = ['true', 'yes', 'y', 'on', '1']
const NO = ['false', 'no', 'n', 'off', '0']

function readBoolean(name: string, text: string): boolean {
  const word = text.trim().toLowerCase()
  if (YES.includes(word)) return true
  if (NO.includes(word)) return false
  throw wrong(name, `${name} must be true or false`, text)
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function wrong(field: string, message: string, text: string): Error {
  return cliError('VALIDATION_FAILED', `${message}, not "${text.slice(0, 100)}".`, { details: { field } })
}
