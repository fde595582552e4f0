import { findWorkspace, initWorkspace } from '@minions/workspace'
import type { Cli } from '../../cli.js'
import { confirm } from '../../input/confirm.js'
import { idMeant } from '../../input/record-references.js'
import { note, oneLine, print, printTable, write } from '../../output/output.js'
import type { Command } from '../../program/command.js'
import { withWorkspace, workspaceCommand } from '../../workspaces/workspaces.js'

export function registerFolder(group: Command, cli: Cli): void {
  workspaceCommand(group, 'init-files', 'create the folder of a workspace, or its missing files')
    .examples('workspace init-files research')
    .option('--overwrite', 'write the first files again; memory is backed up')
    .onNamed(cli, withWorkspace, async (location, workspace, { overwrite = false }) => {
      if (overwrite) await confirm(cli, `Write the first files of "${workspace.name}" again?`)
      const root = await location.manager.update((workspaces) => {
        const chosen = findWorkspace(workspaces, workspace.id)
        chosen.root_path ??= location.rootOf(chosen)
        return location.rootOf(chosen)
      })
      const result = await initWorkspace(root, { overwrite })
      print(cli, result, () => [`${result.root}`, ...result.created.map((file) => `  wrote ${file}`)].join('\n'))
    })
  workspaceCommand(group, 'context', 'show the context that an agent gets from a workspace')
    .examples('workspace context research')
    .onNamed(cli, withWorkspace, async (location, workspace) => {
      const text = await location.context(workspace)
      if (cli.options.json) print(cli, { workspace: workspace.id, context: text }, () => text)
      else write(cli, text)
    })
  workspaceCommand(group, 'sessions', 'list the conversations of a workspace, or show one')
    .examples('workspace sessions research')
    .argument('[session]', 'id of a session, or its beginning')
    .onNamed(cli, withWorkspace, async (location, workspace, id) => {
      const store = location.sessions(workspace)
      const all = await store.list()
      if (id === undefined) {
        return printTable(cli, all, 'No sessions.', { id: 'id', bytes: 'bytes', updated: 'updated_at' })
      }
      const ids = all.map((row) => row.id)
      const session = idMeant(id, ids, 'a session', `minions workspace sessions ${workspace.name}`)
      const { messages, problems } = await store.read(session)
      print(cli, messages, () =>
        messages.map(({ role, content }) => `${oneLine(String(role))}: ${oneLine(String(content))}`).join('\n'),
      )
      for (const { line, message } of problems) note(cli, `line ${line} is malformed: ${message}`)
    })
}
