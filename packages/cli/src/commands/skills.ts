import { isMinionsError, MinionsError } from '@minions/core'
import { AGENT_STATES, type RegisteredSkill, type SkillsErrorCode, skillRecord } from '@minions/skills-runtime'
import { FROM, type SkillsApi, STARTED_AFTER, STARTED_BEFORE, withSkills } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { confirm } from '../input/confirm.js'
import { readObject } from '../input/content.js'
import { facts, print, printTable, sections, table } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { collectTags, given, wholeNumber } from '../program/options.js'
import { AGENT, registerAgentControl, withAgent } from './agent-control.js'
import { registerSkillFolders } from './skill-folders.js'

export function register(program: Command, cli: Cli): void {
  const group = program.command('skills')
  registerSkills(group, cli)
  registerSkillFolders(group, cli)
  registerAgents(program.command('agents'), cli)
}

function registerSkills(group: Command, cli: Cli): void {
  addCommand(group, 'list', 'list skills')
    .examples('skills list --tag vision')
    .worksWithoutStore()
    .option(...FROM)
    .option('--tag <tag>', 'tags that must all be present', collectTags)
    .on(cli, withSkills, async (api, options) => {
      const found = api.registry.listSkills(options.tag)
      print(cli, found.map(skillRecord), () => skillTable(found))
    })
  addCommand(group, 'show', 'show a skill')
    .examples('skills show navigate')
    .worksWithoutStore()
    .argument('<name>')
    .option(...FROM)
    .option('--version <version>', 'default: the highest')
    .on(cli, withSkills, async (api, name, options) => {
      const skill = skillRecord(api.registry.getSkill(name, options.version))
      print(cli, skill, () => facts({ ...skill, versions: api.registry.listVersions(name).join(', ') }))
    })
  addCommand(group, 'load', 'load the skills of a folder and keep their records')
    .examples('skills load ./skills')
    .createsStore()
    .argument('<folder>', 'with YAML, JSON, modules or SKILL.md folders; modules are run')
    .action((folder) =>
      withSkills(
        cli,
        async (api) => {
          const { skills: found, problems } = api.loaded
          if (found.length === 0) {
            throw cliError('NOT_FOUND', `${folder} contains no usable skill.`, { details: { problems } })
          }
          await api.flush()
          print(cli, { skills: found.map(skillRecord), problems }, () => skillTable(found))
        },
        { from: [folder] },
      ),
    )
  addCommand(group, 'run', 'run a skill in a new subagent')
    .examples(`skills run navigate --from ./skills --params '{"location":"kitchen"}'`)
    .createsStore()
    .argument('<name>')
    .option(...FROM)
    .option('--params <json>', 'parameters, @file or - for standard input', undefined, '{}')
    .option('--version <version>', 'default: the highest')
    .option('--name <name>', 'the name of the subagent')
    .option('--chain', 'run its dependencies first; --params are then keyed by skill')
    .action(async (name, options) => {
      const params = await readObject(cli, options.params ?? '{}', '--params')
      await withSkills(
        cli,
        async (api) => {
          const { agent_id } = await api.spawn(given({ name: options.name }))
          const choices = { signal: cli.signal, ...given({ version: options.version }) }
          const running = options.chain
            ? api.runChain(agent_id, name, params as Parameters<SkillsApi['runChain']>[2], choices)
            : api.run(agent_id, name, params, choices)
          const result = await running.catch((error: unknown) => refused(api, agent_id, error))
          print(cli, { agent_id, result }, () => `${JSON.stringify(result, null, 2)}\n\nsubagent ${agent_id}`)
        },
        options,
      )
    })
  addCommand(group, 'deps', 'list the dependencies of a skill in execution order')
    .examples('skills deps detect')
    .worksWithoutStore()
    .argument('<name>')
    .option(...FROM)
    .on(cli, withSkills, async (api, name) => {
      const order = api.registry.resolveDependencies(name)
      print(cli, order, () => order.join('\n'))
    })
}

function registerAgents(group: Command, cli: Cli): void {
  addCommand(group, 'list', 'list subagents')
    .examples('agents list --state running')
    .choice('--state <state...>', AGENT_STATES)
    .option(...STARTED_AFTER)
    .option(...STARTED_BEFORE)
    .option('--limit <n>', 'maximum number of subagents to show', wholeNumber(1))
    .on(cli, withSkills, async (api, options) => {
      const agents = await api.list(given(options))
      printTable(cli, agents, 'No subagents.', {
        id: 'agent_id',
        name: 'name',
        state: 'state',
        skill: 'assigned_skill',
        created: 'created_at',
        error: 'error',
      })
    })
  addCommand(group, 'show', 'show a subagent and its executions')
    .examples('agents show 0b0e4f0a-…')
    .argument(...AGENT)
    .onNamed(cli, withAgent, async (api, id) => {
      const agent = await api.get(id)
      const executions = await api.executions({ agent_id: id })
      print(cli, { ...agent, executions }, () =>
        sections(
          facts(agent),
          table(executions, 'No executions.', {
            execution: 'execution_id',
            skill: (row) => `${row.skill_name}@${row.skill_version}`,
            status: 'status',
            ms: 'duration_ms',
            retries: 'retry_count',
            error: 'error',
          }),
        ),
      )
    })
  addCommand(group, 'cancel', 'cancel a subagent that has not ended')
    .examples('agents cancel 0b0e4f0a-… --yes')
    .argument(...AGENT)
    .onNamed(cli, withAgent, async (api, id) => {
      const { name, state } = await api.get(id)
      await confirm(cli, `Cancel the subagent ${name ?? id}, which is ${state}?`)
      const agent = await api.cancel(id)
      print(cli, agent, () => facts(agent))
    })
  registerAgentControl(group, cli)
}

/** A subagent whose skill could not start is useless, so it ends too. */
async function refused(api: SkillsApi, agentId: string, error: unknown): Promise<never> {
  if ((await api.get(agentId)).state === 'idle') await api.cancel(agentId)
  if (!isMinionsError<SkillsErrorCode>(error, 'SKILL_NOT_BOUND')) throw error
  throw new MinionsError(error.code, `${error.message} Load it with --from <folder>.`, { cause: error })
}

function skillTable(
  found: readonly Pick<RegisteredSkill, 'name' | 'version' | 'description' | 'dependencies'>[],
): string {
  return table(found, 'No skills; load some with: minions skills load <folder>', {
    skill: 'name',
    version: 'version',
    description: 'description',
    'depends on': (row) => row.dependencies?.join(', '),
  })
}
