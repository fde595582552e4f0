import type { FailurePolicy, MissionResult, Roles } from '@minions/colony'
import {
  type ArtifactProblem,
  type MissionEnvelope,
  parseArtifact,
  validateArtifact,
  validateMission,
} from '@minions/colony-contracts'
import { generateId, isId, type JsonObject, runOperation } from '@minions/core'
import { type Command, Option } from 'commander'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import { type ColonyApp, colonyPlugins } from '../colony-app.js'
import { commandLine } from '../command-line.js'
import { homeOf } from '../configuration.js'
import { parseDocuments, parseJson, readSource } from '../content.js'
import { cliError } from '../errors.js'
import { importModule } from '../evaluation.js'
import { followMission } from '../mission-display.js'
import { resumable, type TenantOption, tenantOf, withTenant } from '../missions.js'
import { examples, given, wholeNumber } from '../options.js'
import { facts, note, oneLine, print, table, write } from '../output.js'
import { createsStore } from '../store-need.js'
import { UsageError } from '../usage-error.js'

interface RolesOption {
  readonly roles?: string
}

interface RunOptions extends RolesOption {
  readonly example?: boolean
  readonly workspace?: string
  readonly concurrency?: number
  readonly onFailure?: FailurePolicy
}

const ROLES = ['--roles <module>', 'a module whose default export is the roles; ours need no model'] as const

export function register(program: Command, cli: Cli): void {
  const group = program.command('colony')
  examples(
    group
      .command('validate')
      .description('check one artifact, or those of a mission and what holds between them')
      .argument('<file>', 'JSON: an artifact, a list or one a line; - for standard input')
      .action((file: string) => validate(cli, file)),
    'colony validate envelope.json',
  )
  examples(
    createsStore(group.command('run'))
      .description('run a mission to its end')
      .argument('[envelope]', 'a file with a mission_envelope, or - for standard input')
      .option('--example', 'the example mission, under a new id')
      .option(...ROLES)
      .option('--workspace <workspace>', 'whose context tasks are told')
      .option('--concurrency <n>', 'tasks at the same time', wholeNumber(1))
      .addOption(new Option('--on-failure <policy>').choices(['fail', 'continue', 'retry']))
      .action((file: string | undefined, options: RunOptions) => run(cli, file, options)),
    'colony run --example',
    'colony run envelope.json --roles ./roles.mjs',
  )
  const mission = (name: string, description: string) =>
    withTenant(group.command(name).description(description).argument('<mission>', 'id of a mission'))
  examples(
    mission('resume', 'take a mission on from where it stands')
      .option(...ROLES)
      .action((id: string, options: TenantOption & RolesOption) => resume(cli, id, options)),
    'colony resume 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('cancel', 'end a mission, wherever it runs; what it made is kept, and `colony resume` takes it on').action(
      (id: string, options: TenantOption) => cancel(cli, id, options),
    ),
    'colony cancel 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('status', 'how a mission stands').action((id: string, options: TenantOption) => status(cli, id, options)),
    'colony status 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('show', 'a mission with its goal, its outcome and its artifacts').action(
      (id: string, options: TenantOption) => show(cli, id, options),
    ),
    'colony show 4fb6f1d2-… --tenant acme',
  )
  examples(
    mission('replay', 'derive everything again without a model; exit with 1 when something differs')
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
  options: RolesOption & { workspace?: string },
  work: (app: ColonyApp) => Promise<T>,
): Promise<T> {
  const roles = options.roles === undefined ? undefined : await importRoles(cli, options.roles)
  const plugins = colonyPlugins({
    configDir: homeOf(cli).value,
    store: cli.options.storage === undefined ? 'files' : 'storage',
    ...given({ roles, workspace: options.workspace }),
  })
  return withApp(cli, plugins, (app) => work(app))
}

async function importRoles(cli: Cli, path: string): Promise<Roles> {
  const { default: made } = await importModule(cli, path)
  const roles: unknown = typeof made === 'function' ? await made() : made
  if (typeof roles === 'object' && roles !== null) return roles as Roles
  throw cliError('MODULE_UNUSABLE', `${path} must export the roles, or a function that makes them, as its default.`)
}

async function validate(cli: Cli, file: string): Promise<void> {
  const text = await readSource(cli, file)
  const values = parseDocuments(text, file)
  const [only] = values
  // Text knows more than a value does: a number that is too large, or one key twice.
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
  const { concurrency, onFailure } = options
  await withColony(cli, options, async (app) => {
    const run = () => app.colony.run(envelope, given({ concurrency, onFailure }))
    report(cli, await followed(cli, app, envelope, options, run))
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

async function resume(cli: Cli, id: string, options: TenantOption & RolesOption): Promise<void> {
  const tenant_id = tenantOf(cli, options)
  await withColony(cli, options, async (app) => {
    const run = () => app.colony.forTenant(tenant_id).resume(id, { retryFailed: true })
    report(cli, await followed(cli, app, { mission_id: id, tenant_id }, options, run))
  })
}

type MissionName = Pick<MissionEnvelope, 'mission_id' | 'tenant_id'>

/** Shows progress beside the result. */
async function followed(
  cli: Cli,
  app: ColonyApp,
  { mission_id, tenant_id }: MissionName,
  { roles }: RolesOption,
  run: () => Promise<MissionResult>,
): Promise<MissionResult> {
  // What cannot be told apart from other missions is refused by `run`, which says why.
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

async function cancel(cli: Cli, id: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const progress = await runOperation(app, 'missions.cancel', { mission: id }, { tenant })
    const { completed, total } = progress as JsonObject
    print(cli, progress, () => `Cancelled mission ${id} with ${completed} of ${total} tasks done.`)
  })
}

async function status(cli: Cli, id: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const progress = await app.colony.forTenant(tenant).status(id)
    const { missionText } = await import('@minions/colony')
    print(cli, progress, () => missionText(progress))
    if (progress.status === 'running' && !progress.active) note(cli, `Resume it with: ${resumeCommand(cli, progress)}`)
  })
}

async function show(cli: Cli, id: string, options: TenantOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const artifacts = await app.contracts.store.forTenant(tenant).mission(id)
    const [envelope] = artifacts as unknown as MissionEnvelope[]
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

async function replay(cli: Cli, id: string, options: TenantOption & RolesOption): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, options, async (app) => {
    const found = await app.colony.forTenant(tenant).replay(id)
    print(cli, found, () =>
      found.clean ? `All ${found.checked} artifacts come out the same.` : oneLine(found.difference?.message ?? ''),
    )
    if (!found.clean) cli.exitCode = 1
  })
}

async function graph(cli: Cli, id: string, options: TenantOption & { format: 'mermaid' | 'text' }): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withColony(cli, {}, async (app) => {
    const missions = app.colony.forTenant(tenant)
    if (cli.options.json) return print(cli, (await missions.status(id)).tasks, () => '')
    write(cli, await (options.format === 'text' ? missions.toText(id) : missions.toMermaid(id)))
  })
}
