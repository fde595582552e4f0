import { type Minion, type Minions, RELATION_TYPES, type Relation, type RelationType } from '@minions/core'
import { type MinionTree, minionTree } from '@minions/core/client'
import { exporters } from '@minions/exporters'
import { prompts } from '@minions/prompts'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { readJson, readObject } from '../input/content.js'
import { relationMeant } from '../input/record-references.js'
import { existing } from '../input/references.js'
import { facts, oneLine, print, write } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { given } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

const RELATION = 'how the first relates to the second'

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'link')
    .examples('link 0b0e4f0a-… depends_on 7f1c22d9-…', 'link 0b0e4f0a-… relates_to 7f1c22d9-… --label reviewed_by')
    .argument('<source>', 'id, id prefix, or title of a minion')
    .choiceArgument('<relation>', RELATION_TYPES, RELATION)
    .argument('<target>', 'id, id prefix, or title of a minion')
    .option('--metadata <json>', 'anything, @file or -')
    .option('--label <text>', 'a label besides its type, used in queries and diagrams')
    .option('--by <who>', 'who does it')
    .action(async (sourceId, type, targetId, options) => {
      const metadata = await readMetadata(cli, options)
      await withApp(cli, [prompts()], async (app) => {
        const ends = await meantEnds(app, { sourceId, targetId, type })
        const relation = await app.link({ ...ends, ...given({ metadata }) }, given({ by: options.by }))
        print(cli, relation, () => facts(relation))
      })
    })
  addCommand(program, 'unlink')
    .examples('unlink 0b0e4f0a-… depends_on 7f1c22d9-…', 'unlink 51a0c7aa-…')
    .argument('<id>', 'id of a relation or a prefix of it; otherwise the source')
    .choiceArgument('[relation]', RELATION_TYPES, RELATION)
    .argument('[target]', 'id, id prefix, or title of a minion')
    .action(async (id, type, target) => {
      if (type !== undefined && target === undefined) throw new UsageError("missing required argument 'target'")
      await withApp(cli, [prompts()], async (app) => {
        const relationId =
          type === undefined ? await relationMeant(app, id) : await relationBetween(app, id, type, target ?? '')
        const relation = await app.unlink(relationId)
        print(cli, relation, () => facts(relation))
      })
    })
  addCommand(program, 'tree')
    .examples('tree 0b0e4f0a-…')
    .argument('<id>', 'id, id prefix, or title')
    .action((id) =>
      withApp(cli, [prompts()], async (app) => {
        const root = await minionTree(app, (await existing(app, id)).id)
        print(cli, root, () => [label(root.minion), ...twigs(root.children, '')].join('\n'))
      }),
    )
  addCommand(program, 'graph')
    .examples('graph --type task --relation depends_on', 'graph --format dot | dot -Tsvg > graph.svg')
    .argument('[ids...]', 'only these minions: id, id prefix, or title')
    .option('--type <type>', 'minions of one type')
    .choice('--relation <relation...>', RELATION_TYPES, 'relations of these types only')
    .option('--chain <prompt>', 'the versions of a prompt, by id or title')
    .choice('--format <format>', ['mermaid', 'dot'], undefined, 'mermaid')
    .action(async (ids, options) => {
      const { type, relation: relationTypes, chain, format } = options
      await withApp(cli, [prompts(), exporters()], async (app) => {
        const chosen: string[] = []
        for (const id of ids) chosen.push((await existing(app, id)).id)
        const part = {
          ...given({ relationTypes }),
          ...(chosen.length > 0 && { ids: chosen }),
          ...(type !== undefined && { query: { type } }),
        }
        const subset = chain === undefined ? part : await app.prompts.resolve(chain)
        const diagram = await app.exporters.diagram(subset)
        if (cli.options.json) return print(cli, diagram, () => '')
        write(cli, await (format === 'dot' ? app.exporters.toDot(subset) : app.exporters.toMermaid(subset)))
      })
    })
}

async function readMetadata(
  cli: Cli,
  { metadata, label }: { readonly metadata?: string; readonly label?: string },
): Promise<unknown> {
  if (label === undefined) return metadata === undefined ? undefined : readJson(cli, metadata, '--metadata')
  return { ...(metadata === undefined ? {} : await readObject(cli, metadata, '--metadata')), label }
}

/** The ids of both ends of a relation. An integration links to something outside the store. */
async function meantEnds(app: Minions, { sourceId, targetId, type }: Pick<Relation, 'sourceId' | 'targetId' | 'type'>) {
  const target = type === 'integration_link' ? targetId : (await existing(app, targetId)).id
  return { sourceId: (await existing(app, sourceId)).id, targetId: target, type }
}

async function relationBetween(app: Minions, source: string, type: RelationType, target: string): Promise<string> {
  const { sourceId, targetId: wanted } = await meantEnds(app, { sourceId: source, targetId: target, type })
  const relations = await app.relations(sourceId, { direction: 'outgoing', type, includeDeleted: true })
  const found = relations.find(({ targetId }) => targetId === wanted)
  if (found) return found.id
  throw cliError('NOT_FOUND', `"${source}" is not ${type} "${target}"; there is nothing to remove.`)
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
