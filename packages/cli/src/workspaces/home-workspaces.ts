import type { StorageBackend } from '@minions/core/storage'
import { WorkspaceManager, type WorkspaceRecord } from '@minions/workspace'
import { homeOf } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { note } from '../output/output.js'
import type { CommandBuilder, OptionsOf } from '../program/command.js'
import { StoreWithWorkspaces } from './store-with-workspaces.js'

export function workspacesOption<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--workspaces', 'include the workspaces of the home folder; the default for the configured store')
    .option('--no-workspaces', 'exclude the workspaces of the home folder')
}

/** `--workspaces` or `--no-workspaces`; without either, they accompany the store that they belong to. */
export type WorkspacesOption = OptionsOf<typeof workspacesOption>

/**
 * The workspaces of the home folder that accompany a store. `belong` is true for the configured store, beside which
 * they are kept. Those left behind without an option are reported.
 */
export async function homeWorkspaces(
  cli: Cli,
  { workspaces: asked }: WorkspacesOption,
  belong: boolean,
): Promise<WorkspaceRecord[]> {
  if (asked === false) return []
  const onProblem = ({ message }: { readonly message: string }) => note(cli, message)
  const manager = new WorkspaceManager(homeOf(cli).value, { readOnly: true, onProblem })
  const records = Object.values(await manager.loadWorkspaces()).map((workspace) => workspace.toDict())
  if (records.length === 0 || asked || belong) return records
  note(cli, `${sentence(records, manager.path)} not included; add --workspaces to include them.`)
  return []
}

/** The store with these workspaces in it; notes how many there are. */
export function including(cli: Cli, records: readonly WorkspaceRecord[], backend: StorageBackend): StorageBackend {
  if (records.length === 0) return backend
  note(cli, `${sentence(records, 'the home folder')} included; the files in their folders are not.`)
  return new StoreWithWorkspaces(backend, records, (id) =>
    note(cli, `The workspace ${id} also exists in the store with different content, which is the one included.`),
  )
}

function sentence({ length }: readonly unknown[], where: string): string {
  return length === 1 ? `1 workspace of ${where} is` : `${length} workspaces of ${where} are`
}
