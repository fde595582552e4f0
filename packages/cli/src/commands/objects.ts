import {
  type By,
  isDeleted,
  MINION_PRIORITIES,
  MINION_STATUSES,
  type Minion,
  type Minions,
  type MinionType,
  type UpdateMinionInput,
} from '@minions/core'
import { prompts } from '@minions/prompts'
import { type Command, Option } from 'commander'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { confirm, required } from '../input/confirm.js'
import { readContent } from '../input/content.js'
import { editMinion, writeMinion } from '../input/edit-minion.js'
import { type FieldOptions, readFields } from '../input/fields.js'
import { removing, warnOfUnknownFields } from '../input/names.js'
import { existing } from '../input/references.js'
import { knownType } from '../input/type-reference.js'
import { askForFields, askForType } from '../input/wizard.js'
import { minionFacts } from '../output/minion-output.js'
import { note, print } from '../output/output.js'
import { collect, collectPairs, collectTags, examples, given } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'
import { createsStore } from '../store/store-need.js'

interface AttributeOptions extends FieldOptions {
  readonly title?: string
  readonly description?: string
  readonly tag?: string[]
  readonly status?: Minion['status']
  readonly priority?: Minion['priority']
  readonly due?: string
  readonly by?: string
  readonly edit?: boolean
}

const REFERENCE = ['<id>', 'id, id prefix, or title'] as const

export function register(program: Command, cli: Cli): void {
  examples(
    withAttributes(
      createsStore(program.command('create')).argument(
        '[type]',
        'slug or id of a type, such as note or task; prompted for at a terminal',
      ),
    )
      .option('--id <id>', 'an id that was assigned elsewhere')
      .action((type: string | undefined, options: AttributeOptions & { id?: string }) => create(cli, type, options)),
    'create note --title "Hello" --content @hello.md',
    'create task --title "Call Ada" --priority high --tag crm,today',
    'create thought --title "On engines" --content "They weave." --field confidence=0.8',
    'create note --edit',
  )
  examples(
    program
      .command('get')
      .argument(...REFERENCE)
      .action((id: string) => withApp(cli, [prompts()], async (app) => showOne(cli, await existing(app, id), app))),
    'get "Call Ada"',
    'get 0b0e4f0a --json',
  )
  examples(
    withAttributes(program.command('update').argument(...REFERENCE))
      .option('--unset <name>', 'remove a field or an attribute; may be repeated', collect)
      .action((id: string, options: AttributeOptions & { unset?: string[] }) => update(cli, id, options)),
    'update "Call Ada" --status completed --unset dueDate',
    'update 0b0e4f0a --edit',
  )
  lifecycle(program, cli)
}

function lifecycle(program: Command, cli: Cli): void {
  const byOption = ['--by <who>', 'who does it'] as const
  const one = (name: string, run: (app: Minions, reference: string, by: By) => Promise<Minion>) =>
    program
      .command(name)
      .argument(...REFERENCE)
      .option(...byOption)
      .action((id: string, options: By) =>
        withApp(cli, [prompts()], async (app) => showOne(cli, await run(app, id, given(options)), app)),
      )
  examples(
    one('delete', async (app, reference, by) => app.softDelete((await existing(app, reference)).id, by)),
    'delete "Call Ada"',
  )
  examples(
    one('restore', async (app, reference, by) => app.restore((await existing(app, reference, 'deleted')).id, by)),
    'restore "Call Ada"',
  )
  examples(
    one('purge', async (app, reference, by) => {
      const { id, title } = await existing(app, reference)
      const relations = await app.relations(id, { includeDeleted: true })
      await confirm(cli, `Remove "${title}" and its ${relations.length} relations permanently?`)
      return app.hardDelete(id, by)
    }),
    'purge 0b0e4f0a --yes',
  )
}

function withAttributes(command: Command): Command {
  return command
    .option('--title <text>')
    .option('--description <text>', 'text, @file or - for standard input')
    .option('--content <text>', 'the field content: text, @file or - for standard input')
    .option('--field <name=value>', 'a field; may be repeated', collectPairs)
    .option('--fields <json>', 'fields as a JSON object, @file or -')
    .option('--tag <tag>', 'may be repeated or separated by commas', collectTags)
    .addOption(new Option('--status <status>').choices(MINION_STATUSES))
    .addOption(new Option('--priority <priority>').choices(MINION_PRIORITIES))
    .option('--due <date>', 'a date, or a date and time with its offset')
    .option('--by <who>', 'who does it')
    .option('--edit', 'write it in $EDITOR')
}

async function create(
  cli: Cli,
  reference: string | undefined,
  options: AttributeOptions & { id?: string },
): Promise<void> {
  if (reference === undefined && !cli.isInteractive) throw new UsageError("missing required argument 'type'")
  await withApp(cli, [prompts()], async (app) => {
    const type = knownType(app, reference ?? (await askForType(cli, currentTypes(app))))
    const by = given({ by: options.by })
    const fields = await readFields(cli, type, options)
    const attributes = { ...(await readAttributes(cli, options)), ...given({ id: options.id }) }
    const save = async (input: UpdateMinionInput & { title: string }) => {
      const { id, ...rest } = { ...attributes, ...input }
      return app.create(type.id, { ...rest, ...given({ id }) }, by)
    }
    if (options.edit) {
      const minion = await writeMinion(cli, type, { ...attributes, fields }, save)
      return minion ? showOne(cli, minion, app) : note(cli, 'Nothing was written, so nothing was created.')
    }
    const title = await required(cli, options.title, '--title <text>', `The title of the new ${type.name}`)
    showOne(cli, await save({ title, fields: await askForFields(cli, type, fields) }), app)
    warnOfUnknownFields(cli, type, fields)
  })
}

async function update(cli: Cli, reference: string, options: AttributeOptions & { unset?: string[] }): Promise<void> {
  const { by: _by, ...changes } = options
  if (Object.keys(changes).length === 0) {
    throw new UsageError('name what to change, such as --title, --field, --unset or --edit')
  }
  await withApp(cli, [prompts()], async (app) => {
    const minion = await existing(app, reference)
    const type = app.types.get(minion.minionTypeId)
    const by = given({ by: options.by })
    const fields = await readFields(cli, type, options)
    const removed = removing(options.unset ?? [], minion, type)
    const patch: UpdateMinionInput = {
      ...(await readAttributes(cli, options)),
      ...removed.attributes,
      fields: { ...fields, ...removed.fields },
    }
    if (options.edit) {
      const edited = await editMinion(cli, minion, patch, type, (input) => app.update(minion.id, input, by))
      return edited ? showOne(cli, edited, app) : note(cli, 'Nothing was changed.')
    }
    showOne(cli, await app.update(minion.id, patch, by), app)
    warnOfUnknownFields(cli, type, fields, minion.fields)
  })
}

async function readAttributes(cli: Cli, options: AttributeOptions) {
  const { title, description, tag: tags, status, priority, due: dueDate } = options
  const text = description === undefined ? undefined : await readContent(cli, description)
  return given({ title, description: text, tags, status, priority, dueDate })
}

/** The types that slugs stand for. */
function currentTypes({ types }: Pick<Minions, 'types'>): MinionType[] {
  return types.list().filter(({ id, slug }) => types.get(slug)?.id === id)
}

function showOne(cli: Cli, minion: Minion, { types }: Pick<Minions, 'types'>): void {
  print(cli, minion, () => minionFacts(minion, types))
  if (isDeleted(minion)) note(cli, `It is deleted; restore it with: minions restore ${minion.id}`)
}
