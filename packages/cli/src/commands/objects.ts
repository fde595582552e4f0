import {
  type By,
  isDeleted,
  MINION_PRIORITIES,
  MINION_STATUSES,
  type Minion,
  type MinionQuery,
  type Minions,
  type MinionType,
  type OrderBy,
  type Page,
  type UpdateMinionInput,
  type Where,
} from '@minions/core'
import { prompts } from '@minions/prompts'
import { type Command, Option } from 'commander'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import { confirm, required } from '../confirm.js'
import { readContent, readObject } from '../content.js'
import { cliError } from '../errors.js'
import { type FieldOptions, readFields } from '../fields.js'
import { minionFacts, minionTable } from '../minion-output.js'
import { removing, warnOfUnknownFields } from '../names.js'
import { collect, collectPairs, collectTags, examples, given, wholeNumber } from '../options.js'
import { note, print } from '../output.js'
import { createsStore } from '../store-need.js'
import { UsageError } from '../usage-error.js'

interface AttributeOptions extends FieldOptions {
  readonly title?: string
  readonly description?: string
  readonly tag?: string[]
  readonly status?: Minion['status']
  readonly priority?: Minion['priority']
  readonly due?: string
  readonly by?: string
}

interface QueryOptions {
  readonly type?: string
  readonly status?: NonNullable<Minion['status']>[]
  readonly tag?: string[]
  readonly where?: string
  readonly order?: string[]
  readonly limit?: number
  readonly cursor?: string
  readonly deleted?: boolean
}

export function register(program: Command, cli: Cli): void {
  examples(
    withAttributes(
      createsStore(program.command('create')).argument('<type>', 'slug or id of a type, such as note or task'),
    )
      .option('--id <id>', 'an id that was assigned elsewhere')
      .action((type: string, options: AttributeOptions & { id?: string }) => create(cli, type, options)),
    'create note --title "Hello" --content @hello.md',
    'create task --title "Call Ada" --priority high --tag crm,today',
    'create thought --title "On engines" --content "They weave." --field confidence=0.8',
  )
  examples(
    program
      .command('get')
      .argument('<id>')
      .action((id: string) => withApp(cli, [prompts()], async (app) => showOne(cli, await existing(app, id)))),
    'get 0b0e4f0a-… --json',
  )
  examples(
    withQuery(program.command('list')).action((options: QueryOptions) => list(cli, options)),
    'list --type task --status todo --order dueDate',
    `list --where '{"fields.confidence":{"gte":0.8}}' --json`,
  )
  examples(
    withQuery(program.command('search').argument('<text>', 'words, or beginnings of words')).action(
      (text: string, options: QueryOptions) => list(cli, options, text),
    ),
    'search "quarterly rep" --type note',
  )
  examples(
    withAttributes(program.command('update').argument('<id>'))
      .option('--unset <name>', 'remove a field or an attribute; may be repeated', collect)
      .action((id: string, options: AttributeOptions & { unset?: string[] }) => update(cli, id, options)),
    'update 0b0e4f0a-… --status completed --unset dueDate',
  )
  lifecycle(program, cli)
}

function lifecycle(program: Command, cli: Cli): void {
  const byOption = ['--by <who>', 'who does it'] as const
  const one = (name: string, run: (app: Minions, id: string, by: By) => Promise<Minion>) =>
    program
      .command(name)
      .argument('<id>')
      .option(...byOption)
      .action((id: string, options: By) =>
        withApp(cli, [prompts()], async (app) => showOne(cli, await run(app, id, given(options)))),
      )
  examples(
    one('delete', (app, id, by) => app.softDelete(id, by)),
    'delete 0b0e4f0a-…',
  )
  examples(
    one('restore', (app, id, by) => app.restore(id, by)),
    'restore 0b0e4f0a-…',
  )
  examples(
    one('purge', async (app, id, by) => {
      const { title } = await existing(app, id)
      const relations = await app.relations(id, { includeDeleted: true })
      await confirm(cli, `Remove "${title}" and its ${relations.length} relations for good?`)
      return app.hardDelete(id, by)
    }),
    'purge 0b0e4f0a-… --yes',
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
}

function withQuery(command: Command): Command {
  return command
    .option('--type <type>', 'slug or id')
    .addOption(new Option('--status <status...>', 'one or several').choices(MINION_STATUSES))
    .option('--tag <tag>', 'tags that must all be there', collectTags)
    .option('--where <json>', 'conditions on attributes and fields, @file or -')
    .option('--order <field[:desc]>', 'may be repeated; by creation unless given', collect)
    .option('--limit <n>', 'most minions to show (100)', wholeNumber(1))
    .option('--cursor <cursor>', 'where the page before ended')
    .option('--deleted', 'deleted ones too')
}

async function create(cli: Cli, slug: string, options: AttributeOptions & { id?: string }): Promise<void> {
  await withApp(cli, [prompts()], async (app) => {
    const type = knownType(app, slug)
    const title = await required(cli, options.title, '--title <text>', `The title of the new ${type.name}`)
    const attributes = await readAttributes(cli, options)
    const fields = await readFields(cli, type, options)
    const input = { ...attributes, title, fields, ...given({ id: options.id }) }
    showOne(cli, await app.create(slug, input, given({ by: options.by })))
    warnOfUnknownFields(cli, type, fields)
  })
}

async function update(cli: Cli, id: string, options: AttributeOptions & { unset?: string[] }): Promise<void> {
  const { by: _by, ...changes } = options
  if (Object.keys(changes).length === 0) {
    throw new UsageError('say what to change, such as --title, --field or --unset')
  }
  await withApp(cli, [prompts()], async (app) => {
    const minion = await existing(app, id)
    const type = app.types.get(minion.minionTypeId)
    const fields = await readFields(cli, type, options)
    const removed = removing(options.unset ?? [], minion, type)
    const patch: UpdateMinionInput = {
      ...(await readAttributes(cli, options)),
      ...removed.attributes,
      fields: { ...fields, ...removed.fields },
    }
    showOne(cli, await app.update(id, patch, given({ by: options.by })))
    warnOfUnknownFields(cli, type, fields, minion.fields)
  })
}

async function readAttributes(cli: Cli, options: AttributeOptions) {
  const { title, description, tag: tags, status, priority, due: dueDate } = options
  const text = description === undefined ? undefined : await readContent(cli, description)
  return given({ title, description: text, tags, status, priority, dueDate })
}

async function list(cli: Cli, options: QueryOptions, text?: string): Promise<void> {
  const { type, status, tag: tags, where, order, limit, cursor, deleted: includeDeleted } = options
  const query: MinionQuery = given({
    type,
    status,
    tags,
    where: where === undefined ? undefined : ((await readObject(cli, where, '--where')) as Where),
    orderBy: order?.map(readOrder),
    limit,
    cursor,
    includeDeleted,
  })
  await withApp(cli, [prompts()], async (app) => {
    const page: Page<Minion> = await (text === undefined ? app.find(query) : app.search(text, query))
    print(cli, page.items, () => minionTable(page.items, app.types))
    if (page.nextCursor !== undefined) note(cli, `There are more: --cursor ${page.nextCursor}`)
  })
}

function readOrder(text: string): OrderBy {
  return text.endsWith(':desc') ? { field: text.slice(0, -5), direction: 'desc' } : { field: text }
}

function showOne(cli: Cli, minion: Minion): void {
  print(cli, minion, () => minionFacts(minion))
  if (isDeleted(minion)) note(cli, `It is deleted; bring it back with: minions restore ${minion.id}`)
}

/** A minion by id. Throws `NOT_FOUND`. */
export async function existing(app: Minions, id: string): Promise<Minion> {
  const minion = await app.get(id)
  if (minion) return minion
  throw cliError('NOT_FOUND', `There is no minion "${id}"; list them with: minions list`, { details: { id } })
}

function knownType(app: Minions, slug: string): MinionType {
  const type = app.types.get(slug)
  if (type) return type
  const message = `There is no type "${slug}"; see the types with: minions types list`
  throw cliError('NOT_FOUND', message, { details: { type: slug } })
}
