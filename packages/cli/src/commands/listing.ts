import { MINION_STATUSES, type Minion, type MinionQuery, type OrderBy, type Page, type Where } from '@minions/core'
import { promptResultType, prompts } from '@minions/prompts'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { readObject } from '../input/content.js'
import { knownType } from '../input/type-reference.js'
import { minionTable } from '../output/minion-output.js'
import { note, print } from '../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { collect, collectTags, given, wholeNumber } from '../program/options.js'

/** Tags of what missions and tests create for themselves: the prompts of roles, and results. */
const CREATED_BY_MISSIONS_OR_TESTS: Where = {
  or: [
    { minionTypeId: promptResultType.id },
    { createdBy: '@minions/colony' },
    { and: [{ id: { gte: 'colony-prompt-' } }, { id: { lt: 'colony-prompt.' } }] },
  ],
}

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'list')
    .examples(
      'list --type task --status todo --order dueDate',
      `list --where '{"fields.confidence":{"gte":0.8}}' --json`,
    )
    .with(queryOptions)
    .option('--all', 'include what missions and tests created for themselves')
    .action((options) => list(cli, options))
  addCommand(program, 'search')
    .examples('search "quarterly rep" --type note')
    .argument('<text>', 'words, or prefixes of words')
    .with(queryOptions)
    .action((text, options) => list(cli, { ...options, all: true }, text))
}

function queryOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--type <type>', 'slug or id')
    .choice('--status <status...>', MINION_STATUSES, 'one or several')
    .option('--tag <tag>', 'tags that must all be present', collectTags)
    .option('--where <json>', 'conditions on attributes and fields, @file or -')
    .option('--order <field[:desc]>', 'may be repeated (default: by creation)', collect)
    .option('--limit <n>', 'maximum number of minions to show (100)', wholeNumber(1))
    .option('--cursor <cursor>', 'cursor from the end of the previous page')
    .option('--deleted', 'include deleted minions')
}

type QueryOptions = OptionsOf<typeof queryOptions> & { readonly all?: boolean }

async function list(cli: Cli, options: QueryOptions, text?: string): Promise<void> {
  const { type, status, tag: tags, order, limit, cursor, deleted: includeDeleted } = options
  const where = options.where === undefined ? undefined : ((await readObject(cli, options.where, '--where')) as Where)
  await withApp(cli, [prompts()], async (app) => {
    // A type or conditions select everything that matches.
    const isWhole = options.all || type !== undefined || where !== undefined
    const query: MinionQuery = given({
      type: type === undefined ? undefined : knownType(app, type).id,
      status,
      tags,
      where: isWhole ? where : { not: CREATED_BY_MISSIONS_OR_TESTS },
      orderBy: order?.map(readOrder),
      limit,
      cursor,
      includeDeleted,
    })
    const page: Page<Minion> = await (text === undefined ? app.find(query) : app.search(text, query))
    print(cli, page.items, () => minionTable(page.items, app.types))
    if (page.nextCursor !== undefined) note(cli, `There are more: --cursor ${page.nextCursor}`)
    if (page.items.length === 0 && !isWhole && (await app.find({ limit: 1 })).items.length > 0) {
      note(cli, 'Only objects created by missions and tests exist, or none match; see them with: minions list --all')
    }
  })
}

function readOrder(text: string): OrderBy {
  return text.endsWith(':desc') ? { field: text.slice(0, -5), direction: 'desc' } : { field: text }
}
