import type { PolicyRule } from '@minions/approvals'
import type { FailurePolicy, ListedMission, MissionResult } from '@minions/colony'
import {
  type ArtifactProblem,
  type MissionEnvelope,
  parseArtifact,
  validateArtifact,
  validateMission,
} from '@minions/colony-contracts'
import { generateId, isId } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { runOperation } from '@minions/core/operations'
import { type Command, Option } from 'commander'
import { withApp } from '../app/app.js'
import { type ColonyApp, colonyPlugins } from '../app/colony-app.js'
import { homeOf } from '../app/configuration.js'
import { resumable, type TenantOption, tenantOf, withTenant } from '../app/missions.js'
import { importRoles, ROLES, type RolesOption } from '../app/roles.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { parseDocuments, parseJson, readSource } from '../input/content.js'
import { missionMeant } from '../input/record-references.js'
import { commandLine } from '../output/command-line.js'
import { followMission, showMission } from '../output/mission-display.js'
import { facts, note, oneLine, print, table, write } from '../output/output.js'
import { examples, given, wholeNumber } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'
import { createsStore } from '../store/store-need.js'

interface RunOptions extends RolesOption {
  readonly example?: boolean
  readonly ask?: boolean
  readonly workspace?: string
  readonly concurrency?: number
  readonly onFailure?: FailurePolicy
  readonly workers?: boolean
  readonly detach?: boolean
}

interface ListOptions extends TenantOption {
  readonly status?: ListedMission['status']
  readonly limit?: number
}

const LISTED = [
  'not_started',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'budget_exceeded',
] as const satisfies readonly ListedMission['status'][]

interface WorkersOption {
  readonly workers?: boolean
}

const WORKERS = ['--workers', 'leave the tasks to workers on the store (minions worker)'] as const

export function register(program: Command, cli: Cli): void {
  const group = program.command('colony')
  examples(
    group
      .command('validate')
      .description('check one artifact, or all artifacts of a mission and the links between them')
      .argument('<file>', 'JSON: an artifact, a list, or one per line; - for standard input')
      .action((file: string) => validate(cli, file)),
    'colony validate envelope.json',
  )
  examples(
    createsStore(group.command('run'))
      .description('run a mission to its end')
      .argument('[envelope]', 'a file with a mission_envelope, or - for standard input')
      .option('--example', 'the example mission, under a new id')
      .option('--ask', 'with --example: require approval of outside searches')
      .option(...ROLES)
      .option('--workspace <workspace>', 'whose context tasks receive')
      .option('--concurrency <n>', 'tasks at the same time', wholeNumber(1))
      .option(...WORKERS)
      .option('--detach', 'leave the whole mission to workers, and do not wait')
      .addOption(new Option('--on-failure <policy>').choices(['fail', 'continue', 'retry']))
      .action((file: string | undefined, options: RunOptions) => run(cli, file, options)),
    'colony run --example',
    'colony run --example --ask',
    'colony run envelope.json --roles ./roles.mjs',
    'colony run envelope.json --workers --storage postgres://db.example.com/minions',
  )
  const mission = (name: string, description: string) =>
    withTenant(group.command(name).description(description).argument('<mission>', 'id, id prefix, or goal'))
  examples(
    mission('resume', 'resume a mission from where it stopped')
      .option(...ROLES)
      .option(...WORKERS)
      .action((id: string, options: TenantOption & RolesOption & WorkersOption) => resume(cli, id, options)),
    'colony resume 4fb6f1d2-… --tenant acme',
  )
  examples(
    withTenant(group.command('list').description('list missions, the newest first'))
      .addOption(new Option('--status <status>').choices([...LISTED]))
      .option('--limit <n>', 'maximum number of missions to show (100)', wholeNumber(1))
      .action((options: ListOptions) => list(cli, options)),
    'colony list --tenant acme --status running',
  )
  examples(
    mission('watch', 'follow a mission, wherever it runs, until it ends').action((id: string, options: TenantOption) =>
      watch(cli, id, options),
    ),
    'colony watch 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('pause', 'finish the running tasks and start no others; `colony resume` continues it').action(
      (id: string, options: TenantOption) => pause(cli, id, options),
    ),
    'colony pause 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission(
      'cancel',
      'cancel a mission, wherever it runs; its artifacts are kept, and `colony resume` continues it',
    ).action((id: string, options: TenantOption) => cancel(cli, id, options)),
    'colony cancel 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('status', 'show the status of a mission').action((id: string, options: TenantOption) =>
      status(cli, id, options),
    ),
    'colony status 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('show', 'a mission with its goal, its outcome and its artifacts').action(
      (id: string, options: TenantOption) => show(cli, id, options),
    ),
    'colony show 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('replay', 'derive everything again without a model; exits with 1 if something differs')
      .option(...ROLES)
      .action((id: string, options: TenantOption & RolesOption) => replay(cli, id, options)),
    'colony replay 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('graph', 'the tasks of a mission and their states')
      .addOption(new Option('--format <format>').choices(['mermaid', 'text']).default('mermaid'))
      .action((id: string, options: TenantOption & { format: 'mermaid' | 'text' }) => graph(cli, id, options)),
    'colony graph 4fb6f1d2-… --tenant acme',
  )
}

async function withColony<T>(
  cli: Cli,
  options: RolesOption & { workspace?: string; rules?: readonly PolicyRule[] },
  work: (app: ColonyApp) => Promise<T>,
): Promise<T> {
  const roles = options.roles === undefined ? undefined : await importRoles(cli, options.roles)
  const plugins = colonyPlugins({
    configDir: homeOf(cli).value,
    store: cli.options.storage === undefined ? 'files' : 'storage',
    ...given({ roles, workspace: options.workspace, rules: options.rules }),
  })
  return withApp(cli, plugins, (app) => work(app))
}

async function validate(cli: Cli, file: string): Promise<void> {
  const text = await readSource(cli, file)
  const values = parseDocuments(text, file)
  const [only] = values
  // Text reveals more than a parsed value: numbers that are too large, and duplicate keys.
  const result =
    values.length > 1
      ? validateMission(values)
      : text.trimStart().startsWith('[')
        ? validateArtifact(only)
        : parseArtifact(text)
  const errors: readonly ArtifactProblem[] = result.valid ? [] : result.errors
  print(cli, { valid: result.valid, errors }, () =>
    result.valid
      ? `${values.length === 1 ? 'The artifact is' : `All ${values.length} artifacts are`} valid.`
      : errors.map(({ pointer, code, message }) => oneLine(`${pointer || '/'} ${code}: ${message}`)).join('\n'),
  )
  if (!result.valid) cli.exitCode = 1
}

async function run(cli: Cli, file: string | undefined, options: RunOptions): Promise<void> {
  const envelope = await envelopeOf(cli, file, options)
  if (options.detach) return detach(cli, envelope, options)
  const { concurrency, onFailure, workers } = options
  if (options.ask && !options.example) {
    throw new UsageError('--ask needs --example; publish a policy with `minions policy publish` for other missions')
  }
  const rules = options.ask ? (await import('@minions/colony')).exampleMission.rules : undefined
  await withColony(cli, { ...options, ...given({ rules }) }, async (app) => {
    const run = () => app.colony.run(envelope, given({ concurrency, onFailure, workers }))
    report(cli, await followed(cli, app, envelope, options, run))
  })
}

async function detach(cli: Cli, envelope: MissionEnvelope, options: RunOptions): Promise<void> {
  await withColony(cli, options, async (app) => {
    const progress = await app.colony.submit(envelope)
    const { mission_id, tenant_id } = progress
    const next = commandLine(cli, ['colony', 'status', mission_id, '--tenant', tenant_id])
    print(cli, progress, () => `Mission ${mission_id} is waiting for workers; see its status with: ${next}`)
  })
}

async function envelopeOf(cli: Cli, file: string | undefined, options: RunOptions): Promise<MissionEnvelope> {
  if (options.example) {
    const { exampleMission } = await import('@minions/colony')
    return { ...exampleMission.envelope, mission_id: generateId() }
  }
  if (file === undefined) throw new UsageError("missing required argument 'envelope', or --example")
  return parseJson(await readSource(cli, file), file) as MissionEnvelope
}

async function resume(cli: Cli, reference: string, options: TenantOption & RolesOption & WorkersOption): Promise<void> {
  const tenant_id = tenantOf(cli, options)
  await withColony(cli, options, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant_id), reference)
    const run = () =>
      app.colony.forTenant(tenant_id).resume(id, { retryFailed: true, ...given({ workers: options.workers }) })
    report(cli, await followed(cli, app, { mission_id: id, tenant_id }, options, run))
  })
}

type MissionName = Pick<MissionEnvelope, 'mission_id' | 'tenant_id'>

/** Shows progress besides the result. */
async function followed(
  cli: Cli,
  app: ColonyApp,
  { mission_id, tenant_id }: MissionName,
  { roles }: RolesOption,
  run: () => Promise<MissionResult>,
): Promise<MissionResult> {
  // A duplicate mission is refused by `run`, with the reason.
  if (!isId(mission_id) || !isId(tenant_id)) return run()
  return resumable(cli, resumeCommand(cli, { mission_id, tenant_id }, roles), () => {
    if (cli.options.json) return run()
    return followMission(cli, cli.stderr, app.colony.forTenant(tenant_id), mission_id, run())
  })
}

function resumeCommand(cli: Cli, { mission_id, tenant_id }: MissionName, roles?: string): string {
  const more = roles === undefined ? [] : ['--roles', roles]
  return commandLine(cli, ['colony', 'resume', mission_id, '--tenant', tenant_id, ...more])
}

function report(cli: Cli, result: MissionResult): void {
  print(cli, result, () =>
    facts({
      mission: result.mission_id,
      tenant: result.tenant_id,
      status: result.status,
      tasks: `${result.completed} of ${result.total}`,
      artifacts: result.artifacts.length,
      review: result.review?.review_status,
      proposals: result.proposals.length,
      error: result.error,
    }),
  )
  if (result.status !== 'completed') cli.exitCode = 1
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const { status, limit = 100 } = options
    const rows: ListedMission[] = []
    let cursor: string | undefined
    do {
      const page = await app.colony.forTenant(tenant).list({ ...given({ status, cursor }), limit })
      rows.push(...page.items.slice(0, limit - rows.length))
      cursor = page.nextCursor
    } while (cursor !== undefined && rows.length < limit)
    print(cli, rows, () =>
      table(
        rows,
        {
          mission: (row) => row.mission_id,
          status: (row) => row.status,
          started: (row) => row.started_at,
          goal: (row) => row.envelope.user_goal,
        },
        'No missions.',
      ),
    )
  })
}

async function watch(cli: Cli, reference: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  cli.endsItself = true
  await withColony(cli, {}, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const missions = app.colony.forTenant(tenant)
    if (cli.options.json) {
      const changes = missions.watch(id)
      cli.signal.addEventListener('abort', () => void changes.return?.(), { once: true })
      for await (const progress of changes) write(cli, JSON.stringify(progress))
      return
    }
    await showMission(cli, cli.stdout, missions, id)
    const { status } = await missions.status(id)
    note(cli, `The mission is ${status}.`)
  })
}

async function pause(cli: Cli, reference: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const progress = await runOperation(app, 'missions.pause', { mission: id }, { tenant })
    const { completed, total } = progress as JsonObject
    print(cli, progress, () => `Paused mission ${id} with ${completed} of ${total} tasks done.`)
    note(cli, `Resume it with: ${resumeCommand(cli, { mission_id: id, tenant_id: tenant })}`)
  })
}

async function cancel(cli: Cli, reference: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const progress = await runOperation(app, 'missions.cancel', { mission: id }, { tenant })
    const { completed, total } = progress as JsonObject
    print(cli, progress, () => `Cancelled mission ${id} with ${completed} of ${total} tasks done.`)
  })
}

async function status(cli: Cli, reference: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const progress = await app.colony.forTenant(tenant).status(id)
    const { missionText } = await import('@minions/colony')
    print(cli, progress, () => missionText(progress))
    if (progress.status === 'running' && !progress.active) note(cli, `Resume it with: ${resumeCommand(cli, progress)}`)
  })
}

async function show(cli: Cli, reference: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const artifacts = await app.contracts.store.forTenant(tenant).mission(id)
    const [envelope] = artifacts as MissionEnvelope[]
    if (!envelope) throw cliError('NOT_FOUND', `The tenant "${tenant}" has no mission "${id}".`)
    const progress = await app.colony.forTenant(tenant).status(id)
    print(cli, { ...progress, envelope, artifacts }, () =>
      [
        facts({ mission: id, goal: envelope.user_goal, status: progress.status, tokens: progress.tokens_used }),
        '',
        table(progress.tasks, {
          task: (row) => row.task_id,
          role: (row) => row.role_type,
          status: (row) => row.status,
          attempts: (row) => row.attempt,
          after: (row) => row.depends_on.join(', '),
        }),
        '',
        `${artifacts.length} artifacts; see them with: minions artifacts list --mission ${id} --tenant ${tenant}`,
      ].join('\n'),
    )
  })
}

async function replay(cli: Cli, reference: string, options: TenantOption & RolesOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, options, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const found = await app.colony.forTenant(tenant).replay(id)
    print(cli, found, () =>
      found.clean
        ? `All ${found.checked} artifacts were reproduced exactly.`
        : oneLine(found.difference?.message ?? ''),
    )
    if (!found.clean) cli.exitCode = 1
  })
}

async function graph(
  cli: Cli,
  reference: string,
  options: TenantOption & { format: 'mermaid' | 'text' },
): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
    const missions = app.colony.forTenant(tenant)
    if (cli.options.json) return print(cli, (await missions.status(id)).tasks, () => '')
    write(cli, await (options.format === 'text' ? missions.toText(id) : missions.toMermaid(id)))
  })
}
