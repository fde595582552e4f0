import { ensureWorkspace, type Workspace } from '@minions/workspace'
import type { Cli } from '../../cli.js'
import { confirm, required } from '../../input/confirm.js'
import { facts, note, print, sections, table } from '../../output/output.js'
import { addCommand, type Command } from '../../program/command.js'
import { UsageError } from '../../program/usage-error.js'
import { type WorkspaceLocation, withWorkspace, withWorkspaces, workspaceCommand } from '../../workspaces/workspaces.js'

export function registerKeeping(group: Command, cli: Cli): void {
  addCommand(group, 'add', 'create a workspace')
    .examples('workspace add --name research --init-files', 'workspace add --name demo --sample')
    .createsStore()
    .option('--name <name>')
    .option('--description <text>')
    .option('--sample', 'with example nodes, rules and state')
    .option('--init-files', 'create its folder too')
    .action(async (options) => {
      const name = await required(cli, options.name, '--name <name>', 'The name of the workspace')
      await withWorkspaces(cli, async (location) => {
        const { description, sample, initFiles = false } = options
        const { id } = await location.manager.add({ name, description, sample })
        const { workspace, rootPath } = await ensureWorkspace(location.manager, id, { initFiles })
        if (initFiles) note(cli, `Created the folder ${rootPath}`)
        showOne(cli, location, workspace)
      })
    })
  addCommand(group, 'list', 'list workspaces')
    .examples('workspace list')
    .on(cli, withWorkspaces, async ({ manager }) => {
      const workspaces = Object.values(await manager.loadWorkspaces())
      print(
        cli,
        workspaces.map((workspace) => workspace.toDict()),
        () =>
          table(workspaces, 'No workspaces; create one with: minions workspace add --name research', {
            id: 'id',
            name: 'name',
            nodes: ({ nodes }) => Object.keys(nodes).length,
            rules: ({ rules }) => Object.keys(rules).length,
            description: 'description',
          }),
      )
    })
  workspaceCommand(group, 'show', 'show a workspace')
    .examples('workspace show research')
    .onNamed(cli, withWorkspace, (location, workspace) => showOne(cli, location, workspace))
  workspaceCommand(group, 'update', 'change name or description')
    .examples('workspace update research --description "Updated"')
    .option('--name <name>')
    .option('--description <text>')
    .action(async (reference, options) => {
      const { name, description } = options
      if (name === undefined && description === undefined) {
        throw new UsageError('name what to change: --name or --description')
      }
      await withWorkspaces(cli, async (location) => {
        showOne(cli, location, await location.manager.change(reference, { name, description }))
      })
    })
  workspaceCommand(group, 'remove', 'remove a workspace; its folder stays')
    .examples('workspace remove research --yes')
    .onNamed(cli, withWorkspace, async (location, { id, name }) => {
      await confirm(cli, `Remove the workspace "${name}"? Its folder stays.`)
      await location.manager.remove(id)
      print(cli, { removed: id, name }, () => `Removed the workspace ${name} (${id}).`)
    })
}

function showOne(cli: Cli, location: WorkspaceLocation, workspace: Workspace): void {
  const { id, name, description, state, created_at, updated_at, parent_workspace } = workspace
  print(cli, workspace.toDict(), () =>
    sections(
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
      Object.keys(state).length > 0 ? `state\n${facts(state)}` : '',
      ruleTable(workspace),
    ),
  )
}

function ruleTable({ rules }: Workspace): string {
  return table(Object.values(rules), '', {
    rule: 'id',
    name: 'name',
    priority: 'priority',
    enabled: ({ enabled }) => (enabled ? 'yes' : 'no'),
    condition: 'condition',
    action: 'action',
  })
}
