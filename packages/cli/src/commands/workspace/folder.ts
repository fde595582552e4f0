import { findWorkspace, initWorkspace } from '@minions/workspace'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { confirm } from '../../input/confirm.js'
import { idMeant } from '../../input/record-references.js'
import { note, oneLine, print, table, write } from '../../output/output.js'
import { examples } from '../../program/options.js'
import { loaded, withWorkspaces } from '../../workspaces/workspaces.js'

const WORKSPACE = ['<workspace>', 'name, id, or id prefix'] as const

/** `init-files`, `context` and `sessions`. */
export function registerFolder(group: Command, cli: Cli): void {
  examples(
    group
      .command('init-files')
      .description('create the folder of a workspace, or its missing files')
      .argument(...WORKSPACE)
      .option('--overwrite', 'write the first files again; memory is backed up')
      .action((reference: string, options: { overwrite?: boolean }) => initFiles(cli, reference, options)),
    'workspace init-files research',
  )
  examples(
    group
      .command('context')
      .description('show the context that an agent gets from a workspace')
      .argument(...WORKSPACE)
      .action((reference: string) => context(cli, reference)),
    'workspace context research',
  )
  examples(
    group
      .command('sessions')
      .description('list the conversations of a workspace, or show one')
      .argument(...WORKSPACE)
      .argument('[session]', 'id of a session, or its beginning')
      .action((reference: string, session?: string) => sessions(cli, reference, session)),
    'workspace sessions research',
  )
}

async function initFiles(cli: Cli, reference: string, { overwrite = false }: { overwrite?: boolean }): Promise<void> {
  await withWorkspaces(cli, async (location) => {
    const workspace = await loaded(location, reference)
    if (overwrite) await confirm(cli, `Write the first files of "${workspace.name}" again?`)
    const root = await location.manager.update((workspaces) => {
      const chosen = findWorkspace(workspaces, workspace.id)
      chosen.root_path ??= location.rootOf(chosen)
      return location.rootOf(chosen)
    })
    const result = await initWorkspace(root, { overwrite })
    print(cli, result, () => [`${result.root}`, ...result.created.map((file) => `  wrote ${file}`)].join('\n'))
  })
}

async function context(cli: Cli, reference: string): Promise<void> {
  await withWorkspaces(cli, async (location) => {
    const workspace = await loaded(location, reference)
    const text = await location.context(workspace)
    if (cli.options.json) print(cli, { workspace: workspace.id, context: text }, () => text)
    else write(cli, text)
  })
}

async function sessions(cli: Cli, reference: string, id: string | undefined): Promise<void> {
  await withWorkspaces(cli, async (location) => {
    const store = location.sessions(await loaded(location, reference))
    if (id === undefined) {
      const list = await store.list()
      return print(cli, list, () =>
        table(
          list,
          { id: (row) => row.id, bytes: (row) => row.bytes, updated: (row) => row.updated_at },
          'No sessions.',
        ),
      )
    }
    const ids = (await store.list()).map((row) => row.id)
    const session = idMeant(id, ids, 'a session', `minions workspace sessions ${reference}`)
    const { messages, problems } = await store.read(session)
    print(cli, messages, () =>
      messages.map(({ role, content }) => `${oneLine(String(role))}: ${oneLine(String(content))}`).join('\n'),
    )
    for (const { line, message } of problems) note(cli, `line ${line} is malformed: ${message}`)
  })
}
