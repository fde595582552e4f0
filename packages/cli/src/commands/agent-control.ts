import { isMinionsError, MinionsError } from '@minions/core'
import type { SkillsErrorCode, Subagent } from '@minions/skills-runtime'
import { FROM, type FromOptions, type SkillsApi, withSkills } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { agentMeant } from '../input/record-references.js'
import { commandLine } from '../output/command-line.js'
import { facts, print } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'

export function registerAgentControl(agents: Command, cli: Cli): void {
  addCommand(
    agents,
    'pause',
    'let a running subagent pause at its next checkpoint, or before the next skill of a chain',
  )
    .examples('agents pause 0b0e4f0a-…')
    .argument(...AGENT)
    .onNamed(cli, withAgent, async (api, id) => {
      const agent = await api.pause(id)
      print(cli, agent, () => `Asked ${id} to pause; it does so at its next checkpoint (minions agents show ${id}).`)
    })
  addCommand(agents, 'resume', 'resume a paused subagent; if its process has ended, it runs here to its end')
    .examples('agents resume 0b0e4f0a-…', 'agents resume 0b0e4f0a-… --from ./skills')
    .argument(...AGENT)
    .option(...FROM)
    .on(cli, withSkills, async (api, reference, options) => {
      const id = await agentMeant(api, reference)
      const { metadata } = await api.get(id)
      await api.resume(id).catch((error: unknown) => refused(cli, metadata, error))
      const agent = await ended(cli, api, id, options)
      print(cli, agent, () => facts(agent))
      if (agent.state === 'failed') cli.exitCode = 1
    })
}

export const AGENT = ['<id>', 'id, id prefix, or name'] as const

/** Runs `work` with the id of the subagent that a command names. */
export function withAgent(
  cli: Cli,
  reference: string,
  work: (api: SkillsApi, id: string) => Promise<void>,
): Promise<void> {
  return withSkills(cli, async (api) => work(api, await agentMeant(api, reference)))
}

/** Waits for a subagent that continues here; one in another process does not need this one. */
async function ended(cli: Cli, api: SkillsApi, id: string, { from = [] }: FromOptions): Promise<Subagent> {
  const { running, queued } = await api.stats()
  if (running + queued === 0) return api.get(id)
  const again = commandLine(cli, ['agents', 'resume', id, ...from.flatMap((folder) => ['--from', folder])])
  return cli.hinting(`the subagent can be resumed with: ${again}`, () => api.wait(id))
}

/** Continuing what another process began needs the code of the skill. */
function refused(cli: Cli, metadata: Subagent['metadata'], error: unknown): never {
  if (!isMinionsError<SkillsErrorCode>(error, 'SKILL_NOT_BOUND')) throw error
  const { mission_id } = metadata ?? {}
  const remedy =
    typeof mission_id === 'string'
      ? `It does a task of a mission; resume that with: ${commandLine(cli, ['colony', 'resume', mission_id])}`
      : 'Load it with --from <folder>.'
  throw new MinionsError(error.code, `${error.message} ${remedy}`, { cause: error })
}
