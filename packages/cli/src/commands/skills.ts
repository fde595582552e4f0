import { isMinionsError, MinionsError } from '@minions/core'
import { AGENT_STATES, type AgentState, type RegisteredSkill, skillRecord } from '@minions/skills-runtime'
import { type Command, Option } from 'commander'
import {
  FROM,
  type FromOptions,
  type SkillsApi,
  STARTED_AFTER,
  STARTED_BEFORE,
  type StartedOptions,
  withSkills,
} from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { confirm } from '../input/confirm.js'
import { readObject } from '../input/content.js'
import { agentMeant } from '../input/record-references.js'
import { facts, print, table } from '../output/output.js'
import { collectTags, examples, given, wholeNumber } from '../program/options.js'
import { createsStore, worksWithoutStore } from '../store/store-need.js'
import { registerAgentControl } from './agent-control.js'
import { registerSkillFolders } from './skill-folders.js'

interface RunOptions extends FromOptions {
  readonly params?: string
  readonly version?: string
  readonly name?: string
  readonly chain?: boolean
}

interface AgentsOptions extends StartedOptions {
  readonly state?: AgentState[]
  readonly limit?: number
}

export function register(program: Command, cli: Cli): void {
  const group = program.command('skills')
  registerSkills(group, cli)
  registerSkillFolders(group, cli)
  registerAgents(program.command('agents'), cli)
}

function registerSkills(group: Command, cli: Cli): void {
  examples(
    worksWithoutStore(group.command('list'))
      .description('list skills')
      .option(...FROM)
      .option('--tag <tag>', 'tags that must all be present', collectTags)
      .action((options: FromOptions & { tag?: string[] }) =>
        withSkills(cli, options, async (api) => {
          const found = api.registry.listSkills(options.tag)
          print(cli, found.map(skillRecord), () => skillTable(found))
        }),
      ),
    'skills list --tag vision',
  )
  examples(
    worksWithoutStore(group.command('show'))
      .description('show a skill')
      .argument('<name>')
      .option(...FROM)
      .option('--version <version>', 'default: the highest')
      .action((name: string, options: FromOptions & { version?: string }) =>
        withSkills(cli, options, async (api) => {
          const skill = skillRecord(api.registry.getSkill(name, options.version))
          print(cli, skill, () => facts({ ...skill, versions: api.registry.listVersions(name).join(', ') }))
        }),
      ),
    'skills show navigate',
  )
  examples(
    createsStore(group.command('load'))
      .description('load the skills of a folder and keep their records')
      .argument('<folder>', 'with YAML, JSON, modules or SKILL.md folders; modules are run')
      .action((folder: string) => load(cli, folder)),
    'skills load ./skills',
  )
  examples(
    createsStore(group.command('run'))
      .description('run a skill in a new subagent')
      .argument('<name>')
      .option(...FROM)
      .option('--params <json>', 'parameters, @file or - for standard input', '{}')
      .option('--version <version>', 'default: the highest')
      .option('--name <name>', 'the name of the subagent')
      .option('--chain', 'run its dependencies first; --params are then keyed by skill')
      .action((name: string, options: RunOptions) => run(cli, name, options)),
    `skills run navigate --from ./skills --params '{"location":"kitchen"}'`,
  )
  examples(
    worksWithoutStore(group.command('deps'))
      .description('list the dependencies of a skill in execution order')
      .argument('<name>')
      .option(...FROM)
      .action((name: string, options: FromOptions) =>
        withSkills(cli, options, async (api) => {
          const order = api.registry.resolveDependencies(name)
          print(cli, order, () => order.join('\n'))
        }),
      ),
    'skills deps detect',
  )
}

function registerAgents(group: Command, cli: Cli): void {
  examples(
    group
      .command('list')
      .description('list subagents')
      .addOption(new Option('--state <state...>').choices(AGENT_STATES))
      .option(...STARTED_AFTER)
      .option(...STARTED_BEFORE)
      .option('--limit <n>', 'maximum number of subagents to show', wholeNumber(1))
      .action((options: AgentsOptions) => listAgents(cli, options)),
    'agents list --state running',
  )
  examples(
    group
      .command('show')
      .description('show a subagent and its executions')
      .argument('<id>', 'id, id prefix, or name')
      .action((id: string) => showAgent(cli, id)),
    'agents show 0b0e4f0a-…',
  )
  examples(
    group
      .command('cancel')
      .description('cancel a subagent that has not ended')
      .argument('<id>', 'id, id prefix, or name')
      .action((reference: string) =>
        withSkills(cli, {}, async (api) => {
          const id = await agentMeant(api, reference)
          const { name, state } = await api.get(id)
          await confirm(cli, `Cancel the subagent ${name ?? id}, which is ${state}?`)
          const agent = await api.cancel(id)
          print(cli, agent, () => facts(agent))
        }),
      ),
    'agents cancel 0b0e4f0a-… --yes',
  )
  registerAgentControl(group, cli)
}

async function load(cli: Cli, folder: string): Promise<void> {
  await withSkills(cli, { from: [folder] }, async (api) => {
    const { skills: found, problems } = api.loaded
    if (found.length === 0) {
      throw cliError('NOT_FOUND', `${folder} contains no usable skill.`, { details: { problems } })
    }
    await api.flush()
    print(cli, { skills: found.map(skillRecord), problems }, () => skillTable(found))
  })
}

async function run(cli: Cli, name: string, options: RunOptions): Promise<void> {
  const params = await readObject(cli, options.params ?? '{}', '--params')
  await withSkills(cli, options, async (api) => {
    const { agent_id } = await api.spawn(given({ name: options.name }))
    const choices = { signal: cli.signal, ...given({ version: options.version }) }
    const running = options.chain
      ? api.runChain(agent_id, name, params as Parameters<SkillsApi['runChain']>[2], choices)
      : api.run(agent_id, name, params, choices)
    const result = await running.catch((error: unknown) => refused(api, agent_id, error))
    print(cli, { agent_id, result }, () => `${JSON.stringify(result, null, 2)}\n\nsubagent ${agent_id}`)
  })
}

/** A subagent whose skill could not start is useless, so it ends too. */
async function refused(api: SkillsApi, agentId: string, error: unknown): Promise<never> {
  if ((await api.get(agentId)).state === 'idle') await api.cancel(agentId)
  if (!isMinionsError(error) || error.code !== 'SKILL_NOT_BOUND') throw error
  throw new MinionsError(error.code, `${error.message} Load it with --from <folder>.`, { cause: error })
}

async function listAgents(cli: Cli, options: AgentsOptions): Promise<void> {
  await withSkills(cli, {}, async (api) => {
    const agents = await api.list(given(options))
    print(cli, agents, () =>
      table(
        agents,
        {
          id: (row) => row.agent_id,
          name: (row) => row.name,
          state: (row) => row.state,
          skill: (row) => row.assigned_skill,
          created: (row) => row.created_at,
          error: (row) => row.error,
        },
        'No subagents.',
      ),
    )
  })
}

async function showAgent(cli: Cli, reference: string): Promise<void> {
  await withSkills(cli, {}, async (api) => {
    const id = await agentMeant(api, reference)
    const agent = await api.get(id)
    const executions = await api.executions({ agent_id: id })
    print(cli, { ...agent, executions }, () =>
      [
        facts(agent),
        '',
        table(
          executions,
          {
            execution: (row) => row.execution_id,
            skill: (row) => `${row.skill_name}@${row.skill_version}`,
            status: (row) => row.status,
            ms: (row) => row.duration_ms,
            retries: (row) => row.retry_count,
            error: (row) => row.error,
          },
          'No executions.',
        ),
      ].join('\n'),
    )
  })
}

function skillTable(
  found: readonly Pick<RegisteredSkill, 'name' | 'version' | 'description' | 'dependencies'>[],
): string {
  return table(
    found,
    {
      skill: (row) => row.name,
      version: (row) => row.version,
      description: (row) => row.description,
      'depends on': (row) => row.dependencies?.join(', '),
    },
    'No skills; load some with: minions skills load <folder>',
  )
}
