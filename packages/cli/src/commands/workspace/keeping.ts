import { ensureWorkspace, type Workspace } from '@minions/workspace'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { confirm, required } from '../../input/confirm.js'
import { facts, note, print, table } from '../../output/output.js'
import { examples } from '../../program/options.js'
import { UsageError } from '../../program/usage-error.js'
import { createsStore } from '../../store/store-need.js'
import { loaded, type WorkspaceLocation, withWorkspaces } from '../../workspaces/workspaces.js'

interface AddOptions {
  readonly name?: string
  readonly description?: string
  readonly sample?: boolean
  readonly initFiles?: boolean
}

/** `add`, `list`, `show`, `update` and `remove`. */
export function registerKeeping(group: Command, cli: Cli): void {
  examples(
    createsStore(group.command('add'))
      .description('create a workspace')
      .option('--name <name>')
      .option('--description <text>')
      .option('--sample', 'with example nodes, rules and state')
      .option('--init-files', 'create its folder too')
      .action((options: AddOptions) => add(cli, options)),
    'workspace add --name research --init-files',
    'workspace add --name demo --sample',
  )
  examples(
    group
      .command('list')
      .description('list workspaces')
      .action(() => list(cli)),
    'workspace list',
  )
  examples(
    group
      .command('show')
      .description('show a workspace')
      .argument('<workspace>', 'name, id, or id prefix')
      .action((reference: string) =>
        withWorkspaces(cli, async (location) => showOne(cli, location, await loaded(location, reference))),
      ),
    'workspace show research',
  )
  examples(
    group
      .command('update')
      .description('change name or description')
      .argument('<workspace>', 'name, id, or id prefix')
      .option('--name <name>')
      .option('--description <text>')
      .action((reference: string, options: Pick<AddOptions, 'name' | 'description'>) =>
        update(cli, reference, options),
      ),
    'workspace update research --description "Updated"',
  )
  examples(
    group
      .command('remove')
      .description('remove a workspace; its folder stays')
      .argument('<workspace>', 'name, id, or id prefix')
      .action((reference: string) => remove(cli, reference)),
    'workspace remove research --yes',
  )
}

async function add(cli: Cli, options: AddOptions): Promise<void> {
  const name = await required(cli, options.name, '--name <name>', 'The name of the workspace')
  await withWorkspaces(cli, async (location) => {
    const { description, sample, initFiles = false } = options
    const { id } = await location.manager.add({ name, description, sample })
    const { workspace, rootPath } = await ensureWorkspace(location.manager, id, { initFiles })
    if (initFiles) note(cli, `Created the folder ${rootPath}`)
    showOne(cli, location, workspace)
  })
}

async function list(cli: Cli): Promise<void> {
  await withWorkspaces(cli, async ({ manager }) => {
    const workspaces = Object.values(await manager.loadWorkspaces())
    print(
      cli,
      workspaces.map((workspace) => workspace.toDict()),
      () =>
        table(
          workspaces,
          {
            id: ({ id }) => id,
            name: ({ name }) => name,
            nodes: ({ nodes }) => Object.keys(nodes).length,
            rules: ({ rules }) => Object.keys(rules).length,
            description: ({ description }) => description,
          },
          'No workspaces; create one with: minions workspace add --name research',
        ),
    )
  })
}

async function update(cli: Cli, reference: string, options: Pick<AddOptions, 'name' | 'description'>): Promise<void> {
  const { name, description } = options
  if (name === undefined && description === undefined) {
    throw new UsageError('name what to change: --name or --description')
  }
  await withWorkspaces(cli, async (location) => {
    showOne(cli, location, await location.manager.change(reference, { name, description }))
  })
}

async function remove(cli: Cli, reference: string): Promise<void> {
  await withWorkspaces(cli, async (location) => {
    const { id, name } = await loaded(location, reference)
    await confirm(cli, `Remove the workspace "${name}"? Its folder stays.`)
    await location.manager.remove(id)
    print(cli, { removed: id, name }, () => `Removed the workspace ${name} (${id}).`)
  })
}

function showOne(cli: Cli, location: WorkspaceLocation, workspace: Workspace): void {
  const { id, name, description, state, created_at, updated_at, parent_workspace } = workspace
  print(cli, workspace.toDict(), () =>
    [
      facts({
        id,
        name,
        description,
        folder: location.rootOf(workspace),
        parent_workspace,
        created_at,
        updated_at,
        ...workspace.getNetworkSummary(),
      }),
      Object.keys(state).length > 0 ? `\nstate\n${facts(state)}` : '',
      Object.keys(workspace.rules).length > 0 ? `\n${ruleTable(workspace)}` : '',
    ]
      .filter((part) => part !== '')
      .join('\n'),
  )
}

function ruleTable({ rules }: Workspace): string {
  return table(Object.values(rules), {
    rule: ({ id }) => id,
    name: ({ name }) => name,
    priority: ({ priority }) => priority,
    enabled: ({ enabled }) => (enabled ? 'yes' : 'no'),
    condition: ({ condition }) => condition,
    action: ({ action }) => action,
  })
}
