import {
  type Minion,
  type Minions,
  type MinionTree,
  minionTree,
  RELATION_TYPES,
  type Relation,
  type RelationType,
} from '@minions/core'
import { exporters } from '@minions/exporters'
import { prompts } from '@minions/prompts'
import { Argument, type Command, Option } from 'commander'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import { readJson } from '../content.js'
import { cliError } from '../errors.js'
import { examples, given } from '../options.js'
import { facts, oneLine, print, write } from '../output.js'
import { UsageError } from '../usage-error.js'
import { existing } from './objects.js'

interface GraphOptions {
  readonly type?: string
  readonly relation?: RelationType[]
  readonly chain?: string
  readonly format: 'mermaid' | 'dot'
}

export function register(program: Command, cli: Cli): void {
  const relation = () => new Argument('<relation>', 'how the first relates to the second').choices(RELATION_TYPES)
  examples(
    program
      .command('link')
      .argument('<source>', 'id of a minion')
      .addArgument(relation())
      .argument('<target>', 'id of a minion')
      .option('--metadata <json>', 'anything, @file or -')
      .option('--by <who>', 'who does it')
      .action((source: string, type: RelationType, target: string, options: { metadata?: string; by?: string }) =>
        link(cli, { sourceId: source, targetId: target, type }, options),
      ),
    'link 0b0e4f0a-… depends_on 7f1c22d9-…',
  )
  examples(
    program
      .command('unlink')
      .argument('<id>', 'id of a relation, or of the source')
      .addArgument(relation().argOptional())
      .argument('[target]', 'id of a minion')
      .action((id: string, type?: RelationType, target?: string) => unlink(cli, id, type, target)),
    'unlink 0b0e4f0a-… depends_on 7f1c22d9-…',
    'unlink 51a0c7aa-…',
  )
  examples(
    program
      .command('tree')
      .argument('<id>')
      .action((id: string) => tree(cli, id)),
    'tree 0b0e4f0a-…',
  )
  examples(
    program
      .command('graph')
      .argument('[ids...]', 'only these minions')
      .option('--type <type>', 'minions of one type')
      .addOption(new Option('--relation <relation...>', 'relations of these types only').choices(RELATION_TYPES))
      .option('--chain <prompt>', 'the versions of a prompt, by id or title')
      .addOption(new Option('--format <format>').choices(['mermaid', 'dot']).default('mermaid'))
      .action((ids: string[], options: GraphOptions) => graph(cli, ids, options)),
    'graph --type task --relation depends_on',
    'graph --format dot | dot -Tsvg > graph.svg',
  )
}

async function link(
  cli: Cli,
  ends: Pick<Relation, 'sourceId' | 'targetId' | 'type'>,
  options: { readonly metadata?: string; readonly by?: string },
): Promise<void> {
  const metadata = options.metadata === undefined ? undefined : await readJson(cli, options.metadata, '--metadata')
  await withApp(cli, [prompts()], async (app) => {
    const relation = await app.link({ ...ends, ...given({ metadata }) }, given({ by: options.by }))
    print(cli, relation, () => facts(relation))
  })
}

async function unlink(cli: Cli, id: string, type?: RelationType, target?: string): Promise<void> {
  if (type !== undefined && target === undefined) throw new UsageError("missing required argument 'target'")
  await withApp(cli, [prompts()], async (app) => {
    const relationId = type === undefined ? id : await relationBetween(app, id, type, target ?? '')
    const relation = await app.unlink(relationId)
    print(cli, relation, () => facts(relation))
  })
}

async function relationBetween(app: Minions, source: string, type: RelationType, target: string): Promise<string> {
  const relations = await app.relations(source, { direction: 'outgoing', type, includeDeleted: true })
  const found = relations.find(({ targetId }) => targetId === target)
  if (found) return found.id
  throw cliError('NOT_FOUND', `"${source}" is not ${type} "${target}"; there is nothing to remove.`)
}

async function tree(cli: Cli, id: string): Promise<void> {
  await withApp(cli, [prompts()], async (app) => {
    const root = await minionTree(app, id)
    print(cli, root, () => [label(root.minion), ...twigs(root.children, '')].join('\n'))
  })
}

function twigs(branches: readonly MinionTree[], indent: string): string[] {
  return branches.flatMap(({ minion, children }, index) => {
    const isLast = index === branches.length - 1
    return [
      `${indent}${isLast ? '└─' : '├─'} ${label(minion)}`,
      ...twigs(children, `${indent}${isLast ? '   ' : '│  '}`),
    ]
  })
}

function label({ title, id, status }: Minion): string {
  return `${oneLine(title)} (${status ?? 'active'}, ${id})`
}

async function graph(cli: Cli, ids: readonly string[], options: GraphOptions): Promise<void> {
  const { type, relation: relationTypes, chain, format } = options
  await withApp(cli, [prompts(), exporters()], async (app) => {
    for (const id of ids) await existing(app, id)
    const part = {
      ...given({ relationTypes }),
      ...(ids.length > 0 && { ids }),
      ...(type !== undefined && { query: { type } }),
    }
    const subset = chain === undefined ? part : await app.prompts.resolve(chain)
    const diagram = await app.exporters.diagram(subset)
    if (cli.options.json) return print(cli, diagram, () => '')
    write(cli, await (format === 'dot' ? app.exporters.toDot(subset) : app.exporters.toMermaid(subset)))
  })
}
