import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultPromptId, exampleMission, exampleTools, type MissionResult, modelRoles } from '@minions/colony'
import { messageOf } from '@minions/core'
import type { Plugin } from '@minions/core/plugin'
import { systemCode } from '@minions/files'
import { createMinions } from '@minions/host'
import { PromptDiff, type PromptMinion } from '@minions/prompts'
import { upsertMemorySection } from '@minions/workspace'
import { type ColonyApp, colonyPlugins } from '../../app/colony-app.js'
import { absoluteUrl } from '../../app/configuration.js'
import { cliLogger } from '../../app/logger.js'
import { resumable } from '../../app/missions.js'
import type { Cli } from '../../cli.js'
import { cliError } from '../../errors.js'
import { commandLine } from '../../output/command-line.js'
import { followMission } from '../../output/mission-display.js'
import { facts, print, table, write } from '../../output/output.js'
import { screen } from '../../output/screen.js'
import { styled } from '../../output/style.js'
import { displayWidth } from '../../output/width.js'
import { backendFromUrl } from '../../store/backend.js'

const WORKSPACE = 'waterfront'
const { envelope } = exampleMission
/** Tagged like what missions create for themselves, so that `list` omits it. */
const MISSION = { by: '@minions/colony' }

/** Time budget of a mission with a model: models on small machines take minutes. */
const MODEL_TIME = 3_600_000

/** Runs a mission in a new folder, and shows what became of it and what can be done next. */
export async function playDemo(cli: Cli, given: string | undefined, model: string | undefined): Promise<void> {
  const folder = await newFolder(cli, given)
  const url = absoluteUrl('sqlite:minions.db', folder)
  if (!cli.options.json) write(cli, `A new store: ${url}\nThe mission: ${envelope.user_goal}\n`)
  const played = model === undefined ? {} : { roles: modelRoles(), tools: exampleTools() }
  const app: ColonyApp = await createMinions({
    storage: await backendFromUrl(cli, url),
    plugins: await colonyPlugins({ configDir: folder, store: 'storage', workspace: WORKSPACE, ...played }),
    morePlugins: model === undefined ? [] : [await modelPlugin(cli, model)],
    ...cliLogger(cli),
  })
  await cli.guarded(
    () => app.close(),
    async () => {
      const context = await prepare(app)
      const result = await runMission(cli, app, url, model)
      const [before, after] = await improvePrompt(app)
      const agents = await app.skills.list()
      const executions = await app.skills.executions()
      const commands = nextCommands(cli, url)
      print(cli, { folder, storage: url, mission: result, prompt: [before, after], executions, next: commands }, () =>
        [
          heading('Artifacts of the mission'),
          summary(result),
          heading('A prompt that it used, and a new version of it'),
          new PromptDiff().format(new PromptDiff().diff(before, after), cli.isColoured).trimEnd(),
          heading('The workspace context of each task (first lines)'),
          context.split('\n').slice(0, 12).join('\n'),
          heading(`${executions.length} executions by ${agents.length} subagents`),
          table(executions.slice(0, 5), 'Nothing to show.', {
            skill: 'skill_name',
            status: 'status',
            ms: 'duration_ms',
          }),
          executions.length > 5 ? '…' : '',
          heading('Try next'),
          ...commands.map((command) => `  ${command}`),
          heading('Or open it in a browser'),
          `  ${commandLine(cli, ['studio'], url)}`,
        ].join('\n'),
      )
    },
  )
}

async function newFolder(cli: Cli, given: string | undefined): Promise<string> {
  if (given === undefined) return mkdtemp(join(tmpdir(), 'minions-demo-'))
  const folder = resolve(cli.cwd, given)
  try {
    await mkdir(folder)
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') {
      throw cliError('FILE_UNWRITABLE', `The folder ${given} cannot be created: ${messageOf(cause)}.`, { cause })
    }
    const url = absoluteUrl('sqlite:minions.db', folder)
    const remedy = existsSync(join(folder, 'minions.db'))
      ? `list its contents with: ${commandLine(cli, ['list', '--all'], url)}, or name a folder that does not exist`
      : 'name a folder that does not exist'
    throw cliError('FILE_UNWRITABLE', `The folder ${given} already exists; ${remedy}.`, { cause })
  }
  return folder
}

/** A workspace with a memory, which precedes every prompt of the mission. */
async function prepare(app: ColonyApp): Promise<string> {
  const { workspace, rootPath } = await app.workspace.ensure(WORKSPACE, { createMissing: true, initFiles: true })
  await upsertMemorySection(rootPath, 'How we sell', ['Call before you write.', 'Never promise a mooring.'])
  return app.workspace.buildContext(workspace)
}

async function modelPlugin(cli: Cli, model: string): Promise<Plugin> {
  const { models } = await import('@minions/models')
  return models({ default: model, environment: cli.env, folder: cli.cwd })
}

async function runMission(cli: Cli, app: ColonyApp, url: string, model: string | undefined): Promise<MissionResult> {
  const { mission_id, tenant_id } = envelope
  const resume = commandLine(cli, ['colony', 'resume', mission_id, '--tenant', tenant_id], url)
  return resumable(cli, resume, async () => {
    const running = app.colony.run(model === undefined ? envelope : { ...envelope, time_budget_ms: MODEL_TIME })
    if (cli.options.json) return running
    return followMission(cli, cli.stdout, app.colony.forTenant(tenant_id), mission_id, running)
  })
}

/** Adds a version of a prompt that the mission used; nothing changes until it is published. */
async function improvePrompt(app: ColonyApp): Promise<[PromptMinion, PromptMinion]> {
  const id = defaultPromptId('worker')
  const before = await app.prompts.published(id)
  const after = await app.prompts.addVersion(
    id,
    {
      content: `${before.fields.content}\nSay how sure you are, from 0 to 1.`,
      changelog: 'Ask for a confidence',
    },
    MISSION,
  )
  return [before, after]
}

function summary(result: MissionResult): string {
  const kinds = new Map<string, number>()
  for (const { schema_name } of result.artifacts) kinds.set(schema_name, (kinds.get(schema_name) ?? 0) + 1)
  const counts = [...kinds].map(([name, count]) => `${count} ${name}`)
  return facts({
    status: `${result.status}, ${result.completed} of ${result.total} tasks`,
    artifacts: counts.join(', '),
    review: result.review?.review_status,
    summary: approvedSummary(result),
    proposals: result.proposals.map((proposal) => proposal.proposal_id).join(', '),
  })
}

function approvedSummary({ review }: MissionResult): string {
  const { summary = '' } = Object(review?.approved_output) as { summary?: string }
  return String(summary)
}

function heading(text: string): string {
  const { columns = 76 } = screen()
  return `\n${styled('heading', `── ${text}`)} ${'─'.repeat(Math.max(0, Math.min(columns, 76) - displayWidth(text) - 4))}`
}

function nextCommands(cli: Cli, url: string): string[] {
  const { mission_id, tenant_id } = envelope
  const line = (...words: string[]) => commandLine(cli, words, url)
  return [
    line('artifacts', 'list', '--mission', mission_id, '--tenant', tenant_id),
    line('prompts', 'diff', defaultPromptId('worker')),
    line('colony', 'replay', mission_id, '--tenant', tenant_id),
  ]
}
