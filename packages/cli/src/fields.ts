import type { MinionType } from '@minions/core'
import type { Cli } from './cli.js'
import { parseJson, readContent, readObject } from './content.js'

/** How fields may be given. */
export interface FieldOptions {
  readonly field?: readonly (readonly [string, string])[]
  readonly fields?: string
  readonly content?: string
}

/** The fields of a command line: those of `--fields`, then `--content`, then each `--field`, read as its type says. */
export async function readFields(
  cli: Cli,
  type: MinionType | undefined,
  { field = [], fields, content }: FieldOptions,
): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown>(
    fields === undefined ? [] : Object.entries(await readObject(cli, fields, '--fields')),
  )
  if (content !== undefined) values.set('content', await readContent(cli, content))
  for (const [name, text] of field) values.set(name, readValue(type, name, text))
  return Object.fromEntries(values)
}

function readValue(type: MinionType | undefined, name: string, text: string): unknown {
  switch (type?.schema.find((definition) => definition.name === name)?.type) {
    case 'number':
    case 'boolean':
    case 'json':
    case 'array':
      return parseJson(text, `--field ${name}`)
    case 'tags':
    case 'multi-select':
      return text.startsWith('[') ? parseJson(text, `--field ${name}`) : text.split(',').map((part) => part.trim())
    default:
      return text
  }
}
