import {
  EXECUTION_STATUSES,
  type ExecutionLog,
  type ExecutionStatus,
  LOG_LEVELS,
  type LogLevel,
} from '@minions/skills-runtime'
import { type Command, Option } from 'commander'
import { STARTED_AFTER, STARTED_BEFORE, type StartedOptions, withSkills } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { agentMeant, executionMeant } from '../input/record-references.js'
import { facts, print, table } from '../output/output.js'
import { examples, given, wholeNumber } from '../program/options.js'

interface ListOptions extends StartedOptions {
  readonly agent?: string
  readonly skill?: string
  readonly status?: ExecutionStatus[]
  readonly limit?: number
}

interface ShowOptions {
  readonly logs?: boolean
  readonly level?: LogLevel
}

export function register(program: Command, cli: Cli): void {
  const group = program.command('executions')
  examples(
    group
      .command('list')
      .description('list executions of skills, oldest first')
      .option('--agent <id>', 'only those of this subagent: id, id prefix, or name')
      .option('--skill <name>', 'only those of this skill')
      .addOption(new Option('--status <status...>').choices(EXECUTION_STATUSES))
      .option(...STARTED_AFTER)
      .option(...STARTED_BEFORE)
      .option('--limit <n>', 'maximum number of executions to show', wholeNumber(1))
      .action((options: ListOptions) => list(cli, options)),
    'executions list --status failed --started-after 2026-01-31T09:00:00Z',
  )
  examples(
    group
      .command('show')
      .description('show an execution, its progress and what it logged')
      .argument('<id>', 'id, or id prefix')
      .option('--logs', 'include the lines of its log')
      .addOption(new Option('--level <level>', 'the lowest level of lines').choices(LOG_LEVELS))
      .action((id: string, options: ShowOptions) => show(cli, id, options)),
    'executions show 0b0e4f0a-… --logs --level warn',
  )
}

async function list(cli: Cli, { agent, skill, ...options }: ListOptions): Promise<void> {
  await withSkills(cli, {}, async (api) => {
    const agent_id = agent === undefined ? undefined : await agentMeant(api, agent)
    const executions = await api.executions(given({ agent_id, skill_name: skill, ...options }))
    print(cli, executions, () =>
      table(
        executions,
        {
          id: (row) => row.execution_id,
          agent: (row) => row.agent_id,
          skill: (row) => `${row.skill_name}@${row.skill_version}`,
          status: (row) => row.status,
          started: (row) => row.started_at,
          ms: (row) => row.duration_ms,
          retries: (row) => row.retry_count,
          error: (row) => row.error,
        },
        'No executions.',
      ),
    )
  })
}

async function show(cli: Cli, reference: string, { logs = false, level }: ShowOptions): Promise<void> {
  await withSkills(cli, {}, async (api) => {
    const id = await executionMeant(api, reference)
    const log = await api.executionLog(id, given({ level }))
    const [execution] = await api.executions({ execution_id: id })
    const { progress = null, lines, dropped } = log
    const value = { ...execution, progress, ...(logs && { log: { lines, dropped } }) }
    print(cli, value, () => {
      const shown = facts({ ...execution, progress: progress && inWords(progress) })
      return logs ? `${shown}\n\n${logTable(log)}` : shown
    })
  })
}

function inWords({ fraction, note }: NonNullable<ExecutionLog['progress']>): string {
  return `${Math.round(fraction * 100)} % ${note ?? ''}`
}

function logTable({ lines, dropped }: ExecutionLog): string {
  const rows = table(
    lines,
    {
      time: (line) => line.at,
      attempt: (line) => line.attempt,
      level: (line) => line.level,
      message: (line) => line.message,
      facts: (line) => line.fields,
    },
    'No lines.',
    Number.POSITIVE_INFINITY,
  )
  return dropped > 0 ? `${rows}\n\n${dropped} older lines were not kept.` : rows
}
