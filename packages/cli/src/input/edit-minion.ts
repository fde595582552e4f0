import type { Minion, MinionType, UpdateMinionInput } from '@minions/core'
import { isRecord } from '@minions/core/json'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { editObject } from './editor.js'

/** Attributes that can be changed in an editor, besides the fields. */
const ATTRIBUTES = ['title', 'description', 'tags', 'status', 'priority', 'dueDate'] as const

type Input = UpdateMinionInput & { readonly id?: string | undefined }

/** Opens an editor for a new minion; undefined if nothing was written. */
export async function writeMinion(
  cli: Cli,
  type: MinionType,
  start: Input,
  save: (input: UpdateMinionInput & { title: string }) => Promise<Minion>,
): Promise<Minion | undefined> {
  const empty = Object.fromEntries(type.schema.map(({ name, defaultValue }) => [name, defaultValue ?? '']))
  const value = { title: start.title ?? '', tags: start.tags ?? [], fields: { ...empty, ...start.fields } }
  const comment = `A new ${type.slug}. Save and close to create it; change nothing to cancel.\n${fieldsText(type)}`
  return editObject(cli, type.slug, { value, comment }, (written) => {
    const { fields, ...attributes } = taken(written)
    return save({ ...attributes, title: String(attributes.title ?? ''), fields: withoutEmpty(fields) })
  })
}

/** Opens an editor on a minion; what is deleted there is removed. Undefined if nothing was changed. */
export async function editMinion(
  cli: Cli,
  minion: Minion,
  patch: UpdateMinionInput,
  type: MinionType | undefined,
  save: (input: UpdateMinionInput) => Promise<Minion>,
): Promise<Minion | undefined> {
  const merged = { ...minion, ...patch, fields: { ...minion.fields, ...patch.fields } }
  const present = ATTRIBUTES.filter((name) => merged[name] !== undefined && merged[name] !== null)
  const value = { ...Object.fromEntries(present.map((name) => [name, merged[name]])), fields: merged.fields }
  const comment = `${minion.id}\n${type === undefined ? '' : fieldsText(type)}`
  return editObject(cli, type?.slug ?? 'minion', { value, comment }, (written) => {
    const { fields, ...attributes } = taken(written)
    const gone = (before: Iterable<string>, after: object) =>
      Object.fromEntries([...before].filter((name) => !Object.hasOwn(after, name)).map((name) => [name, null]))
    return save({
      ...gone(present, attributes),
      ...attributes,
      fields: { ...gone(Object.keys(merged.fields), fields), ...fields },
    })
  })
}

function taken(written: Readonly<Record<string, unknown>>) {
  const { fields = {}, ...rest } = written
  const unknown = Object.keys(rest).find((name) => !(ATTRIBUTES as readonly string[]).includes(name))
  if (unknown !== undefined) {
    const message = `"${unknown}" cannot be changed here; use ${ATTRIBUTES.join(', ')} and, below fields, the fields.`
    throw cliError('VALIDATION_FAILED', message, { details: { name: unknown } })
  }
  if (!isRecord(fields)) throw cliError('VALIDATION_FAILED', '"fields" must contain names with values.')
  // The edited content may be anything; the client validates it.
  return { ...(rest as UpdateMinionInput), fields: { ...fields } }
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null))
}

function fieldsText({ schema }: MinionType): string {
  return schema
    .map(({ name, type, required, options }) =>
      [`  ${name}: ${type}`, required && 'required', options && `one of ${options.join(', ')}`]
        .filter(Boolean)
        .join(', '),
    )
    .join('\n')
}
