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
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { confirm, required } from '../input/confirm.js'
import { readContent } from '../input/content.js'
import { editMinion, writeMinion } from '../input/edit-minion.js'
import { readFields } from '../input/fields.js'
import { removing, warnOfUnknownFields } from '../input/names.js'
import { existing } from '../input/references.js'
import { knownType } from '../input/type-reference.js'
import { askForFields, askForType } from '../input/wizard.js'
import { minionFacts } from '../output/minion-output.js'
import { note, print } from '../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { collect, collectPairs, collectTags, given } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

const REFERENCE = ['<id>', 'id, id prefix, or title'] as const

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'create')
    .examples(
      'create note --title "Hello" --content @hello.md',
      'create task --title "Call Ada" --priority high --tag crm,today',
      'create thought --title "On engines" --content "They weave." --field confidence=0.8',
      'create note --edit',
    )
    .createsStore()
    .argument('[type]', 'slug or id of a type, such as note or task; prompted for at a terminal')
    .with(attributeOptions)
    .option('--id <id>', 'an id that was assigned elsewhere')
    .action(async (reference, options) => {
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
    })
  addCommand(program, 'get')
    .examples('get "Call Ada"', 'get 0b0e4f0a --json')
    .argument(...REFERENCE)
    .action((id) => withApp(cli, [prompts()], async (app) => showOne(cli, await existing(app, id), app)))
  addCommand(program, 'update')
    .examples('update "Call Ada" --status completed --unset dueDate', 'update 0b0e4f0a --edit')
    .argument(...REFERENCE)
    .with(attributeOptions)
    .option('--unset <name>', 'remove a field or an attribute; may be repeated', collect)
    .action(async (reference, options) => {
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
    })
  const one = (name: string, run: (app: Minions, reference: string, by: By) => Promise<Minion>) =>
    addCommand(program, name)
      .argument(...REFERENCE)
      .option('--by <who>', 'who does it')
      .action((id: string, options: By) =>
        withApp(cli, [prompts()], async (app) => showOne(cli, await run(app, id, given(options)), app)),
      )
  one('delete', async (app, reference, by) => app.softDelete((await existing(app, reference)).id, by)).examples(
    'delete "Call Ada"',
  )
  one('restore', async (app, reference, by) =>
    app.restore((await existing(app, reference, 'deleted')).id, by),
  ).examples('restore "Call Ada"')
  one('purge', async (app, reference, by) => {
    const { id, title } = await existing(app, reference)
    const relations = await app.relations(id, { includeDeleted: true })
    await confirm(cli, `Remove "${title}" and its ${relations.length} relations permanently?`)
    return app.hardDelete(id, by)
  }).examples('purge 0b0e4f0a --yes')
}

function attributeOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--title <text>')
    .option('--description <text>', 'text, @file or - for standard input')
    .option('--content <text>', 'the field content: text, @file or - for standard input')
    .option('--field <name=value>', 'a field; may be repeated', collectPairs)
    .option('--fields <json>', 'fields as a JSON object, @file or -')
    .option('--tag <tag>', 'may be repeated or separated by commas', collectTags)
    .choice('--status <status>', MINION_STATUSES)
    .choice('--priority <priority>', MINION_PRIORITIES)
    .option('--due <date>', 'a date, or a date and time with its offset')
    .option('--by <who>', 'who does it')
    .option('--edit', 'write it in $EDITOR')
}

type AttributeOptions = OptionsOf<typeof attributeOptions>

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
