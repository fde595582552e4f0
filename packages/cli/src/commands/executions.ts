import { EXECUTION_STATUSES, type ExecutionLog, LOG_LEVELS } from '@minions/skills-runtime'
import { STARTED_AFTER, STARTED_BEFORE, withSkills } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { agentMeant, executionMeant } from '../input/record-references.js'
import { facts, print, printTable, table } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'

export function register(program: Command, cli: Cli): void {
  const group = program.command('executions')
  addCommand(group, 'list', 'list executions of skills, oldest first')
    .examples('executions list --status failed --started-after 2026-01-31T09:00:00Z')
    .option('--agent <id>', 'only those of this subagent: id, id prefix, or name')
    .option('--skill <name>', 'only those of this skill')
    .choice('--status <status...>', EXECUTION_STATUSES)
    .option(...STARTED_AFTER)
    .option(...STARTED_BEFORE)
    .option('--limit <n>', 'maximum number of executions to show', wholeNumber(1))
    .on(cli, withSkills, async (api, { agent, skill, ...options }) => {
      const agent_id = agent === undefined ? undefined : await agentMeant(api, agent)
      const executions = await api.executions(given({ agent_id, skill_name: skill, ...options }))
      printTable(cli, executions, 'No executions.', {
        id: 'execution_id',
        agent: 'agent_id',
        skill: (row) => `${row.skill_name}@${row.skill_version}`,
        status: 'status',
        started: 'started_at',
        ms: 'duration_ms',
        retries: 'retry_count',
        error: 'error',
      })
    })
  addCommand(group, 'show', 'show an execution, its progress and what it logged')
    .examples('executions show 0b0e4f0a-… --logs --level warn')
    .argument('<id>', 'id, or id prefix')
    .option('--logs', 'include the lines of its log')
    .choice('--level <level>', LOG_LEVELS, 'the lowest level of lines')
    .on(cli, withSkills, async (api, reference, { logs = false, level }) => {
      const id = await executionMeant(api, reference)
      const log = await api.executionLog(id, given({ level }))
      const [execution] = await api.executions({ execution_id: id })
      const { progress = null, lines, dropped } = log
      const value = { ...execution, progress, ...(logs && { log: { lines, dropped } }) }
      print(cli, value, () => {
        const shown = facts({
          ...execution,
          progress: progress && `${Math.round(progress.fraction * 100)} % ${progress.note ?? ''}`,
        })
        return logs ? `${shown}\n\n${logTable(log)}` : shown
      })
    })
}

function logTable({ lines, dropped }: ExecutionLog): string {
  const rows = table(
    lines,
    'No lines.',
    { time: 'at', attempt: 'attempt', level: 'level', message: 'message', facts: 'fields' },
    Number.POSITIVE_INFINITY,
  )
  return dropped > 0 ? `${rows}\n\n${dropped} older lines were not kept.` : rows
}
