import type { PolicyRule } from '@minions/approvals'
import {
  exampleMission,
  type ListedMission,
  MISSION_STATUSES,
  type MissionResult,
  missionText,
  type TenantMissions,
} from '@minions/colony'
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
import { withApp } from '../app/app.js'
import { type ColonyApp, commandPlugins } from '../app/colony-app.js'
import { resumable, type TenantOption, tenantOf, tenantOption } from '../app/missions.js'
import { importRoles, ROLES, type RolesOption } from '../app/roles.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { parseDocuments, parseJson, readSource } from '../input/content.js'
import { missionMeant } from '../input/record-references.js'
import { commandLine } from '../output/command-line.js'
import { firstOf } from '../output/first-of.js'
import { followMission, showMission } from '../output/mission-display.js'
import { facts, note, oneLine, print, printTable, sections, table, write } from '../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

const LISTED = ['not_started', ...MISSION_STATUSES] as const satisfies readonly ListedMission['status'][]

const WORKERS = ['--workers', 'leave the tasks to workers on the store (minions worker)'] as const

export function register(program: Command, cli: Cli): void {
  const group = program.command('colony')
  addCommand(group, 'validate', 'check one artifact, or all artifacts of a mission and the links between them')
    .examples('colony validate envelope.json')
    .argument('<file>', 'JSON: an artifact, a list, or one per line; - for standard input')
    .action(async (file) => {
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
    })
  addCommand(group, 'run', 'run a mission to its end')
    .examples(
      'colony run --example',
      'colony run --example --ask',
      'colony run envelope.json --roles ./roles.mjs',
      'colony run envelope.json --workers --storage postgres://db.example.com/minions',
    )
    .createsStore()
    .argument('[envelope]', 'a file with a mission_envelope, or - for standard input')
    .with(runOptions)
    .action((file, options) => run(cli, file, options))
  mission(group, 'resume', 'resume a mission from where it stopped')
    .option(...ROLES)
    .option(...WORKERS)
    .action(onMission(cli, resume))
  addCommand(group, 'list', 'list missions, the newest first')
    .examples('colony list --tenant acme --status running')
    .with(tenantOption)
    .choice('--status <status>', LISTED)
    .option('--limit <n>', 'maximum number of missions to show (100)', wholeNumber(1))
    .action(async (options) => {
      const tenant = tenantOf(cli, options)
      await withColony(cli, {}, async (app) => {
        const { status, limit = 100 } = options
        const missions = app.colony.forTenant(tenant)
        const rows = await firstOf(limit, (next) => missions.list({ ...given({ status }), ...next, limit }))
        printTable(cli, rows, 'No missions.', {
          mission: 'mission_id',
          status: 'status',
          started: 'started_at',
          goal: (row) => row.envelope.user_goal,
        })
      })
    })
  mission(group, 'watch', 'follow a mission, wherever it runs, until it ends').action(onMission(cli, watch))
  mission(group, 'pause', 'finish the running tasks and start no others; `colony resume` continues it').action(
    onMission(cli, pause),
  )
  mission(
    group,
    'cancel',
    'cancel a mission, wherever it runs; its artifacts are kept, and `colony resume` continues it',
  ).action(onMission(cli, cancel))
  mission(group, 'status', 'show the status of a mission').action(onMission(cli, status))
  mission(group, 'show', 'a mission with its goal, its outcome and its artifacts').action(onMission(cli, show))
  mission(group, 'replay', 'derive everything again without a model; exits with 1 if something differs')
    .option(...ROLES)
    .action(onMission(cli, replay))
  mission(group, 'graph', 'the tasks of a mission and their states')
    .choice('--format <format>', ['mermaid', 'text'], undefined, 'mermaid')
    .action(onMission(cli, graph))
}

function runOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--example', 'the example mission, under a new id')
    .option('--ask', 'with --example: require approval of outside searches')
    .option(...ROLES)
    .option('--workspace <workspace>', 'whose context tasks receive')
    .option('--concurrency <n>', 'tasks at the same time', wholeNumber(1))
    .option(...WORKERS)
    .option('--detach', 'leave the whole mission to workers, and do not wait')
    .choice('--on-failure <policy>', ['fail', 'continue', 'retry'])
}

type RunOptions = OptionsOf<typeof runOptions>

function mission(group: Command, name: string, description: string) {
  return addCommand(group, name, description)
    .examples(`colony ${name} 4fb6f1d2-… --tenant acme`)
    .argument('<mission>', 'id, id prefix, or goal')
    .with(tenantOption)
}

/** Runs `work` on the mission that a command names. */
function onMission<Options extends object>(
  cli: Cli,
  work: (cli: Cli, mission: ChosenMission, options: Options) => Promise<void>,
) {
  return async (reference: string, options: Options & TenantOption & RolesOption): Promise<void> => {
    const tenant = tenantOf(cli, options)
    await withColony(cli, options, async (app) => {
      const id = await missionMeant(app.contracts.store.forTenant(tenant), reference)
      await work(cli, { app, tenant, id, missions: app.colony.forTenant(tenant) }, options)
    })
  }
}

interface ChosenMission {
  readonly app: ColonyApp
  readonly tenant: string
  readonly id: string
  readonly missions: TenantMissions
}

async function withColony<T>(
  cli: Cli,
  options: RolesOption & { workspace?: string; rules?: readonly PolicyRule[] },
  work: (app: ColonyApp) => Promise<T>,
): Promise<T> {
  const roles = options.roles === undefined ? undefined : await importRoles(cli, options.roles)
  const plugins = await commandPlugins(cli, given({ roles, workspace: options.workspace, rules: options.rules }))
  return withApp(cli, plugins, (app) => work(app))
}

async function run(cli: Cli, file: string | undefined, options: RunOptions): Promise<void> {
  const envelope = await envelopeOf(cli, file, options)
  if (options.detach) return detach(cli, envelope, options)
  const { concurrency, onFailure, workers } = options
  if (options.ask && !options.example) {
    throw new UsageError('--ask needs --example; publish a policy with `minions policy publish` for other missions')
  }
  const rules = options.ask ? exampleMission.rules : undefined
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
  if (options.example) return { ...exampleMission.envelope, mission_id: generateId() }
  if (file === undefined) throw new UsageError("missing required argument 'envelope', or --example")
  return parseJson(await readSource(cli, file), file) as MissionEnvelope
}

async function resume(
  cli: Cli,
  { app, id, tenant, missions }: ChosenMission,
  options: RolesOption & Pick<RunOptions, 'workers'>,
): Promise<void> {
  const run = () => missions.resume(id, { retryFailed: true, ...given({ workers: options.workers }) })
  report(cli, await followed(cli, app, { mission_id: id, tenant_id: tenant }, options, run))
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

async function watch(cli: Cli, { id, missions }: ChosenMission): Promise<void> {
  cli.endsItself = true
  if (cli.options.json) {
    const changes = missions.watch(id)
    cli.signal.addEventListener('abort', () => void changes.return?.(), { once: true })
    for await (const progress of changes) write(cli, JSON.stringify(progress))
    return
  }
  await showMission(cli, cli.stdout, missions, id)
  const { status } = await missions.status(id)
  note(cli, `The mission is ${status}.`)
}

async function pause(cli: Cli, mission: ChosenMission): Promise<void> {
  await halt(cli, mission, 'missions.pause', 'Paused')
  note(cli, `Resume it with: ${resumeCommand(cli, { mission_id: mission.id, tenant_id: mission.tenant })}`)
}

function cancel(cli: Cli, mission: ChosenMission): Promise<void> {
  return halt(cli, mission, 'missions.cancel', 'Cancelled')
}

async function halt(cli: Cli, { app, id, tenant }: ChosenMission, operation: string, done: string): Promise<void> {
  const progress = await runOperation(app, operation, { mission: id }, { tenant })
  const { completed, total } = progress as JsonObject
  print(cli, progress, () => `${done} mission ${id} with ${completed} of ${total} tasks done.`)
}

async function status(cli: Cli, { id, missions }: ChosenMission): Promise<void> {
  const progress = await missions.status(id)
  print(cli, progress, () => missionText(progress))
  if (progress.status === 'running' && !progress.active) note(cli, `Resume it with: ${resumeCommand(cli, progress)}`)
}

async function show(cli: Cli, { app, id, tenant, missions }: ChosenMission): Promise<void> {
  const artifacts = await app.contracts.store.forTenant(tenant).mission(id)
  const [envelope] = artifacts as MissionEnvelope[]
  if (!envelope) throw cliError('NOT_FOUND', `The tenant "${tenant}" has no mission "${id}".`)
  const progress = await missions.status(id)
  print(cli, { ...progress, envelope, artifacts }, () =>
    sections(
      facts({ mission: id, goal: envelope.user_goal, status: progress.status, tokens: progress.tokens_used }),
      table(progress.tasks, 'Nothing to show.', {
        task: 'task_id',
        role: 'role_type',
        status: 'status',
        attempts: 'attempt',
        after: (row) => row.depends_on.join(', '),
      }),
      `${artifacts.length} artifacts; see them with: minions artifacts list --mission ${id} --tenant ${tenant}`,
    ),
  )
}

async function replay(cli: Cli, { id, missions }: ChosenMission): Promise<void> {
  const found = await missions.replay(id)
  print(cli, found, () =>
    found.clean ? `All ${found.checked} artifacts were reproduced exactly.` : oneLine(found.difference?.message ?? ''),
  )
  if (!found.clean) cli.exitCode = 1
}

async function graph(
  cli: Cli,
  { id, missions }: ChosenMission,
  { format }: { format: 'mermaid' | 'text' },
): Promise<void> {
  if (cli.options.json) return print(cli, (await missions.status(id)).tasks, () => '')
  write(cli, await (format === 'text' ? missions.toText(id) : missions.toMermaid(id)))
}
