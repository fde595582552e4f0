import { type FieldDefinition, type MinionType, messageOf, validateField } from '@minions/core'
import type { Cli } from '../cli.js'
import { oneLine } from '../output/cell.js'
import { interrupted } from './confirm.js'
import { readFieldValue } from './fields.js'

/** Prompts for the missing required fields of a new minion, one by one. */
export async function askForFields(
  cli: Cli,
  type: MinionType,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = { ...given }
  if (!cli.isInteractive) return fields
  for (const field of type.schema) {
    const isAbsent = (fields[field.name] ?? '') === ''
    if (!field.required || field.defaultValue !== undefined || !isAbsent) continue
    fields[field.name] = await askForField(cli, field)
  }
  return fields
}

export async function askForType(cli: Cli, types: readonly MinionType[]): Promise<string> {
  const { autocomplete, isCancel } = await import('@clack/prompts')
  const answer = await autocomplete({
    message: 'What to create',
    options: types.map(({ slug, description }) => ({
      value: slug,
      label: slug,
      ...(description && { hint: oneLine(description) }),
    })),
    maxItems: 12,
    output: cli.stderr,
  })
  return isCancel(answer) ? interrupted(cli) : String(answer)
}

async function askForField(cli: Cli, field: FieldDefinition): Promise<unknown> {
  const prompts = await import('@clack/prompts')
  const message = `${oneLine(field.label ?? field.name)}${field.description ? ` (${oneLine(field.description)})` : ''}`
  const output = cli.stderr
  const choices = (field.options ?? []).map((value) => ({ value, label: value }))
  const answer = await (() => {
    if (field.type === 'boolean') return prompts.confirm({ message, output })
    if (field.type === 'select') return prompts.select({ message, options: choices, output })
    if (field.type === 'multi-select') return prompts.multiselect({ message, options: choices, required: true, output })
    const validate = (text: string | undefined) => problemOf(field, text ?? '')
    return prompts.text({ message, validate, output })
  })()
  if (prompts.isCancel(answer)) return interrupted(cli)
  return typeof answer === 'string' && field.type !== 'select' ? readFieldValue(field, answer) : answer
}

/** The problem with an answer, so that it can be corrected in place; undefined if it is valid. */
function problemOf(field: FieldDefinition, text: string): string | undefined {
  if (text.trim() === '') return 'A value is required.'
  try {
    const [error] = validateField(readFieldValue(field, text), field)
    return error?.message
  } catch (error) {
    return messageOf(error)
  }
}
