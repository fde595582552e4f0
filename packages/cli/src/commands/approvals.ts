import { APPROVAL_STATUSES, type Approval, type Approvals, approvals } from '@minions/approvals'
import { isRecord, type JsonObject } from '@minions/core/json'
import { withApp } from '../app/app.js'
import { type TenantOption, tenantOption } from '../app/missions.js'
import type { Cli } from '../cli.js'
import { required } from '../input/confirm.js'
import { parseJson, readSource } from '../input/content.js'
import { approvalMeant, askingMissionMeant } from '../input/record-references.js'
import { commandLine } from '../output/command-line.js'
import { facts, note, oneLine, print, printTable, sections, show as shown, table, write } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

export function register(program: Command, cli: Cli): void {
  const group = program.command('approvals')
  command(group, 'list', 'list what waits for a decision, the oldest first')
    .examples('approvals list', 'approvals list --status rejected --tenant acme')
    .choice('--status <status>', APPROVAL_STATUSES, 'only those with this status')
    .option('--all', 'include those that were decided')
    .option('--mission <id>', 'of one mission: id, or id prefix')
    .option('--limit <n>', 'maximum number of approvals to show (100)', wholeNumber(1))
    .on(cli, withApprovals, async (api, options) => {
      const { status = options.all ? undefined : 'pending', limit = 100 } = options
      const scope = tenantIn(cli, options)
      const mission = options.mission === undefined ? undefined : await askingMissionMeant(api, scope, options.mission)
      const { items, nextCursor } = await api.list({ ...scope, ...given({ status, mission }), limit })
      printTable(cli, items, status === 'pending' ? 'Nothing waits for a decision.' : 'No approvals.', {
        approval: 'approval_id',
        status: 'status',
        call: ({ call }) => `${call.kind} ${call.name}`,
        arguments: ({ call }) => call.arguments,
        'asked by': 'asked_by',
        expires: 'expires_at',
      })
      if (nextCursor !== undefined) note(cli, `There are more; see them with --limit ${limit * 10}.`)
    })
  command(group, 'show', 'show an approval, the exact call and everything that happened to it')
    .examples('approvals show apr_0f3a…')
    .argument('<approval>', 'id, or id prefix')
    .on(cli, withApprovals, async (api, reference, options) => {
      const scope = tenantIn(cli, options)
      const id = await approvalMeant(api, scope, reference)
      const approval = await api.get(id, scope)
      const history = await api.history(id, scope)
      print(cli, { ...approval, history }, () =>
        sections(
          facts(approvalFacts(approval)),
          table(history, 'Nothing to show.', { at: 'at', what: 'kind', by: 'by', code: 'code', message: 'message' }),
        ),
      )
    })
  decide(group, cli, 'approve', 'approve calls, each for a single use')
  decide(group, cli, 'reject', 'reject calls permanently')
  command(group, 'watch', 'show approvals from any process as they are requested and decided')
    .examples('approvals watch')
    .action(async (options) => {
      cli.endsItself = true
      await withApprovals(cli, async (api) => {
        const scope = tenantIn(cli, options)
        const changes = api.watch({ ...scope, signal: cli.signal })
        if (!cli.options.json)
          for (const each of (await api.list({ ...scope, status: 'pending' })).items) write(cli, lineOf(each))
        for await (const approval of changes) write(cli, cli.options.json ? JSON.stringify(approval) : lineOf(approval))
        if (!cli.options.json) note(cli, `See what waits with: ${commandLine(cli, ['approvals', 'list'])}`)
      })
    })
}

function command(group: Command, name: string, description: string) {
  return addCommand(group, name, description).with(tenantOption)
}

function withApprovals(cli: Cli, work: (api: Approvals) => Promise<void>): Promise<void> {
  return withApp(cli, [approvals()], ({ approvals: api }) => work(api))
}

/** Approvals can be read across tenants, unless one is named. */
function tenantIn(cli: Cli, { tenant = cli.env.MINIONS_TENANT }: TenantOption) {
  return given({ tenant: tenant || undefined })
}

function approvalFacts({ call, edit, ...approval }: Approval) {
  const changed = edit?.diff.map(
    ({ pointer, before, after }) => `${pointer}: ${shown(before) || 'nothing'} → ${shown(after) || 'nothing'}`,
  )
  return {
    approval: approval.approval_id,
    kind: call.kind,
    call: call.name,
    version: call.version,
    arguments: call.arguments,
    hash: call.arguments_hash,
    why: approval.why,
    rule: approval.rule,
    tenant: approval.tenant_id,
    mission: call.mission_id,
    task: call.task_id,
    role: call.role,
    status: approval.status,
    'asked by': approval.asked_by,
    'asked at': approval.asked_at,
    'expires at': approval.expires_at,
    approvers: approval.approvers?.join(', '),
    'decided by': approval.decided_by,
    'decided at': approval.decided_at,
    reason: approval.reason,
    changed: changed?.join('; '),
  }
}

function decide(group: Command, cli: Cli, decision: 'approve' | 'reject', description: string): void {
  const decided = command(group, decision, `${description}; several at once are decided on all or none`)
    .examples(`approvals ${decision} apr_0f3a… --by ada --reason "Within the budget."`)
    .argument('<approvals...>', 'ids, or id prefixes')
    .option('--by <who>', 'who decides; must not be the person who asked')
    .option('--reason <text>', 'why')
    .option('--hash <hash>', 'arguments_hash of what was shown; refused if the call has other arguments')
  const run = async (references: readonly string[], options: DecideOptions) => {
    const by = await required(cli, options.by, '--by <who>', `Who ${decision}s it`)
    const { reason, hash, arguments: json } = options
    if (references.length > 1 && (hash !== undefined || json !== undefined)) {
      throw new UsageError('--hash and --arguments apply to a single approval; decide on it alone.')
    }
    const edited = json === undefined ? undefined : await argumentsOf(cli, json)
    await withApprovals(cli, async (api) => {
      const each = { decision, ...given({ reason, hash, arguments: edited }) }
      const scope = tenantIn(cli, options)
      const decisions: Parameters<Approvals['decide']>[0][number][] = []
      for (const reference of references) {
        decisions.push({ approval: await approvalMeant(api, scope, reference), ...each })
      }
      const all = await api.decide(decisions, { by, ...scope })
      print(cli, all, () => all.map(({ approval_id, status }) => `Approval ${approval_id} is ${status}.`).join('\n'))
    })
  }
  const edited = ['--arguments <json>', 'approve it with these arguments instead; @file reads a file'] as const
  if (decision === 'approve') decided.option(...edited).action(run)
  else decided.action(run)
}

interface DecideOptions extends TenantOption {
  readonly by?: string
  readonly reason?: string
  readonly hash?: string
  readonly arguments?: string
}

async function argumentsOf(cli: Cli, text: string): Promise<JsonObject> {
  const isFile = text.startsWith('@')
  const value = parseJson(isFile ? await readSource(cli, text.slice(1)) : text, isFile ? text.slice(1) : '--arguments')
  if (isRecord(value)) return value as JsonObject
  throw new UsageError('--arguments must be a JSON object with all arguments.')
}

/** An approval in one line: its call and status, and who asked or decided. */
function lineOf({ approval_id, status, call, asked_by, decided_by }: Approval): string {
  const who = decided_by === null ? `asked by ${asked_by}` : `decided by ${decided_by}`
  return oneLine(
    [status.padEnd(9), approval_id, `${call.kind} ${call.name}`, shown(call.arguments).slice(0, 60), who].join('  '),
  )
}
