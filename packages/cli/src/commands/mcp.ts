import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Access } from '@minions/core/operations'
import { systemCode } from '@minions/files'
import { absoluteUrl } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { confirm } from '../input/confirm.js'
import { withDoors } from '../operations/operations-app.js'
import { note, print } from '../output/output.js'
import { writeWhole } from '../output/write-file.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { collectTags } from '../program/options.js'

export function register(program: Command, cli: Cli): void {
  const mcp = addCommand(program, 'mcp')
    .examples('mcp', 'mcp --tools prompts.*,objects.find', 'mcp --access write')
    .createsStore()
    .with(profileOptions)
    .action((options) => serveAgent(cli, options))
  addCommand(
    mcp,
    'install',
    'set up an agent on this machine to use this store: claude-code, claude-desktop, cursor, vscode, windsurf, gemini',
  )
    .argument('<agent>')
    .examples('mcp install claude-code --yes', 'mcp install cursor --project --tools prompts.* --yes')
    .option('--project', 'only for the project in this folder')
    .option('--name <name>', 'name of the server in the configuration (minions)')
    .action((agent, options) => install(cli, agent, { ...mcp.opts(), ...options }))
}

function profileOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option(
      '--tools <names>',
      'operations that are tools, such as prompts.*,objects.find; may be repeated',
      collectTags,
    )
    .option('--access <kinds>', 'read, write, approve, admin (read); may be repeated', collectTags)
    .option('--by <who>', 'author of changes (local)')
    .option('--tenant <id>', 'whose missions; or the environment variable MINIONS_TENANT')
}

type ProfileOptions = OptionsOf<typeof profileOptions>

interface InstallOptions extends ProfileOptions {
  readonly project?: boolean
  readonly name?: string
}

/** Shows the change to the configuration of an agent, then applies it. */
async function install(cli: Cli, agent: string, { project = false, name = 'minions', ...options }: InstallOptions) {
  const { changedLines, configurationFile, currentEnvironment, planInstall } = await import('@minions/mcp/install')
  const environment = { ...currentEnvironment(), home: cli.env.HOME ?? currentEnvironment().home, project: cli.cwd }
  const scope = project ? 'project' : 'user'
  const file = configurationFile({ agent, scope, environment })
  const before = await readFile(file, 'utf8').catch(missing)
  const plan = planInstall({ agent, scope, name, entry: entryOf(cli, options), environment }, before)
  if (plan.text === before) {
    print(cli, { file, changed: false }, () => `${plan.title} already uses this store, through ${file}.`)
    return
  }
  note(cli, [`${file}:`, ...changedLines(before ?? '', plan.text)].map(oneLineOf).join('\n'))
  await confirm(cli, `${plan.replaces ? `Replace "${name}" in` : 'Change'} the configuration of ${plan.title}?`)
  await writeWhole(cli, file, plan.text)
  print(cli, { file, changed: true }, () => `${plan.title} will use this store from its next start on.`)
}

/** The command with which the agent starts this program on this store. */
function entryOf(cli: Cli, { tools = [], access = [], tenant }: ProfileOptions) {
  const { storage } = cli.options
  const program = fileURLToPath(new URL('../../bin/minions.js', import.meta.url))
  const flags = [
    // The agent starts the program in its own folder, so paths must be absolute.
    ...(storage === undefined ? [] : ['--storage', absoluteUrl(storage, cli.cwd)]),
    ...(tools.length === 0 ? [] : ['--tools', tools.join(',')]),
    ...(access.length === 0 ? [] : ['--access', access.join(',')]),
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
  ]
  const { MINIONS_HOME } = cli.env
  return {
    command: process.execPath,
    args: [program, 'mcp', ...flags],
    ...(MINIONS_HOME !== undefined && { env: { MINIONS_HOME: resolve(cli.cwd, MINIONS_HOME) } }),
  }
}

function missing(error: unknown): undefined {
  if (systemCode(error) === 'ENOENT') return undefined
  throw error
}

/** Configurations can contain anything, including control characters. */
function oneLineOf(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ')
}

/** Serves the agent that started this process, until it closes standard input. */
async function serveAgent(cli: Cli, { tools, access, by, tenant = cli.env.MINIONS_TENANT }: ProfileOptions) {
  const { serveStdio } = await import('@minions/mcp')
  await withDoors(cli, async (app) => {
    cli.endsItself = true
    const connection = await serveStdio(app, {
      tools,
      // Validated with the rest of the profile.
      access: access as Access[] | undefined,
      by,
      tenant,
      input: cli.stdin,
      output: cli.stdout,
    })
    await Promise.race([connection.ended, cli.untilStopped()])
    await connection.close()
  })
}
