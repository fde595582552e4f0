import { APPROVAL_STATUSES, type Approval, type ApprovalStatus, type Approvals, approvals } from '@minions/approvals'
import type { JsonObject } from '@minions/core/json'
import { type Command, Option } from 'commander'
import { withApp } from '../app/app.js'
import { type TenantOption, withTenant } from '../app/missions.js'
import type { Cli } from '../cli.js'
import { required } from '../input/confirm.js'
import { parseJson, readSource } from '../input/content.js'
import { approvalMeant, askingMissionMeant } from '../input/record-references.js'
import { commandLine } from '../output/command-line.js'
import { facts, note, oneLine, print, show as shown, table, write } from '../output/output.js'
import { examples, given, wholeNumber } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

interface ListOptions extends TenantOption {
  readonly status?: ApprovalStatus
  readonly all?: boolean
  readonly mission?: string
  readonly limit?: number
}

interface DecideOptions extends TenantOption {
  readonly by?: string
  readonly reason?: string
  readonly hash?: string
  readonly arguments?: string
}

export function register(program: Command, cli: Cli): void {
  const group = program.command('approvals')
  const command = (name: string, description: string) => withTenant(group.command(name).description(description))
  examples(
    command('list', 'list what waits for a decision, the oldest first')
      .addOption(new Option('--status <status>', 'only those with this status').choices(APPROVAL_STATUSES))
      .option('--all', 'include those that were decided')
      .option('--mission <id>', 'of one mission: id, or id prefix')
      .option('--limit <n>', 'maximum number of approvals to show (100)', wholeNumber(1))
      .action((options: ListOptions) => list(cli, options)),
    'approvals list',
    'approvals list --status rejected --tenant acme',
  )
  examples(
    command('show', 'show an approval, the exact call and everything that happened to it')
      .argument('<approval>', 'id, or id prefix')
      .action((id: string, options: TenantOption) => show(cli, id, options)),
    'approvals show apr_0f3a…',
  )
  for (const [name, description] of [
    ['approve', 'approve calls, each for a single use'],
    ['reject', 'reject calls permanently'],
  ] as const) {
    const decision = command(name, `${description}; several at once are decided on all or none`)
      .argument('<approvals...>', 'ids, or id prefixes')
      .option('--by <who>', 'who decides; must not be the person who asked')
      .option('--reason <text>', 'why')
      .option('--hash <hash>', 'arguments_hash of what was shown; refused if the call has other arguments')
    if (name === 'approve')
      decision.option('--arguments <json>', 'approve it with these arguments instead; @file reads a file')
    examples(
      decision.action((ids: string[], options: DecideOptions) => decide(cli, ids, name, options)),
      `approvals ${name} apr_0f3a… --by ada --reason "Within the budget."`,
    )
  }
  examples(
    command('watch', 'show approvals from any process as they are requested and decided').action(
      (options: TenantOption) => watch(cli, options),
    ),
    'approvals watch',
  )
}

function withApprovals<T>(cli: Cli, work: (api: Approvals) => Promise<T>): Promise<T> {
  return withApp(cli, [approvals()], ({ approvals: api }) => work(api))
}

/** Approvals can be read across tenants, unless one is named. */
function tenantIn(cli: Cli, { tenant = cli.env.MINIONS_TENANT }: TenantOption) {
  return given({ tenant: tenant || undefined })
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  await withApprovals(cli, async (api) => {
    const { status = options.all ? undefined : 'pending', limit = 100 } = options
    const scope = tenantIn(cli, options)
    const mission = options.mission === undefined ? undefined : await askingMissionMeant(api, scope, options.mission)
    const { items, nextCursor } = await api.list({ ...scope, ...given({ status, mission }), limit })
    print(cli, items, () =>
      table(
        items,
        {
          approval: (row) => row.approval_id,
          status: (row) => row.status,
          call: ({ call }) => `${call.kind} ${call.name}`,
          arguments: ({ call }) => call.arguments,
          'asked by': (row) => row.asked_by,
          expires: (row) => row.expires_at,
        },
        status === 'pending' ? 'Nothing waits for a decision.' : 'No approvals.',
      ),
    )
    if (nextCursor !== undefined) note(cli, `There are more; see them with --limit ${limit * 10}.`)
  })
}

async function show(cli: Cli, reference: string, options: TenantOption): Promise<void> {
  await withApprovals(cli, async (api) => {
    const scope = tenantIn(cli, options)
    const id = await approvalMeant(api, scope, reference)
    const approval = await api.get(id, scope)
    const history = await api.history(id, scope)
    print(cli, { ...approval, history }, () =>
      [
        facts({ ...callFacts(approval), ...stateFacts(approval) }),
        '',
        table(history, {
          at: (event) => event.at,
          what: (event) => event.kind,
          by: (event) => event.by,
          code: (event) => event.code,
          message: (event) => event.message,
        }),
      ].join('\n'),
    )
  })
}

function callFacts({ approval_id, tenant_id, call, why, rule }: Approval) {
  const { kind, name, version, mission_id, task_id, role } = call
  const where = { mission: mission_id, task: task_id, role }
  return {
    approval: approval_id,
    kind,
    call: name,
    version,
    arguments: call.arguments,
    hash: call.arguments_hash,
    why,
    rule,
    tenant: tenant_id,
    ...where,
  }
}

function stateFacts({
  status,
  asked_by,
  asked_at,
  expires_at,
  approvers,
  decided_by,
  decided_at,
  reason,
  edit,
}: Approval) {
  const asked = {
    status,
    'asked by': asked_by,
    'asked at': asked_at,
    'expires at': expires_at,
    approvers: approvers?.join(', '),
  }
  const changed = edit?.diff.map(
    ({ pointer, before, after }) => `${pointer}: ${shown(before) || 'nothing'} → ${shown(after) || 'nothing'}`,
  )
  return { ...asked, 'decided by': decided_by, 'decided at': decided_at, reason, changed: changed?.join('; ') }
}

async function decide(
  cli: Cli,
  references: readonly string[],
  decision: 'approve' | 'reject',
  options: DecideOptions,
): Promise<void> {
  const by = await required(cli, options.by, '--by <who>', `Who ${decision}s it`)
  const { reason, hash } = options
  if (references.length > 1 && (hash !== undefined || options.arguments !== undefined)) {
    throw new UsageError('--hash and --arguments apply to a single approval; decide on it alone.')
  }
  const edited = options.arguments === undefined ? undefined : await argumentsOf(cli, options.arguments)
  await withApprovals(cli, async (api) => {
    const each = { decision, ...given({ reason, hash, arguments: edited }) }
    const scope = tenantIn(cli, options)
    const decisions: Parameters<Approvals['decide']>[0][number][] = []
    for (const reference of references) {
      decisions.push({ approval: await approvalMeant(api, scope, reference), ...each })
    }
    const decided = await api.decide(decisions, { by, ...scope })
    print(cli, decided, () =>
      decided.map(({ approval_id, status }) => `Approval ${approval_id} is ${status}.`).join('\n'),
    )
  })
}

async function argumentsOf(cli: Cli, text: string): Promise<JsonObject> {
  const isFile = text.startsWith('@')
  const value = parseJson(isFile ? await readSource(cli, text.slice(1)) : text, isFile ? text.slice(1) : '--arguments')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new UsageError('--arguments must be a JSON object with all arguments.')
}

async function watch(cli: Cli, options: TenantOption): Promise<void> {
  cli.endsItself = true
  await withApprovals(cli, async (api) => {
    const scope = tenantIn(cli, options)
    const changes = api.watch({ ...scope, signal: cli.signal })
    if (!cli.options.json)
      for (const each of (await api.list({ ...scope, status: 'pending' })).items) write(cli, lineOf(each))
    for await (const approval of changes) write(cli, cli.options.json ? JSON.stringify(approval) : lineOf(approval))
    if (!cli.options.json) note(cli, `See what waits with: ${commandLine(cli, ['approvals', 'list'])}`)
  })
}

/** An approval in one line: its call and status, and who asked or decided. */
function lineOf({ approval_id, status, call, asked_by, decided_by }: Approval): string {
  const who = decided_by === null ? `asked by ${asked_by}` : `decided by ${decided_by}`
  return oneLine(
    [status.padEnd(9), approval_id, `${call.kind} ${call.name}`, shown(call.arguments).slice(0, 60), who].join('  '),
  )
}
