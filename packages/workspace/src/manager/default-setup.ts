import { join } from 'node:path'
import type { Clock } from '@minions/core'
import { guarded, readClock } from '@minions/core/plugin'
import { unavailable } from '../errors.js'
import { initWorkspace } from '../folder/init-workspace.js'
import { rootOf, settle } from './ensure-workspace.js'
import { type FileContent, JsonFile } from './json-file.js'
import { WorkspaceManager, type WorkspaceManagerOptions } from './workspace-manager.js'

const DEFAULT_NAME = 'default'

/** The content of `config.json`; keys of other programs are preserved. */
export interface DefaultSetup {
  readonly default_workspace: string
  readonly default_agent: string
  readonly [key: string]: unknown
}

/**
 * Creates a first workspace with its folder and a first agent, and records both in `config.json`. After that, a call
 * reads only this file and writes nothing.
 */
export const ensureDefaultSetup = guarded(
  'ensureDefaultSetup',
  async (configDir: string, options: WorkspaceManagerOptions = {}): Promise<DefaultSetup> => {
    const manager = new WorkspaceManager(configDir, options)
    const fileAt = (name: string) =>
      new JsonFile(join(manager.configDir, name), {
        report: (problem) => options.onProblem?.(problem),
        clock: options.clock,
      })
    const config = fileAt('config.json')
    const { records: before } = await readable(config)
    if (isSetUp(before)) return before
    return config.locked(async () => {
      const content = await readable(config)
      if (isSetUp(content.records)) return content.records
      const workspace = await manager.update((all) =>
        settle(manager, all, DEFAULT_NAME, 'The workspace to begin with.'),
      )
      await initWorkspace(rootOf(manager, workspace), options)
      const agent = await ensureDefaultAgent(fileAt('agents.json'), options.clock)
      // Written last: it states that everything else exists.
      const setup = { ...content.records, default_workspace: workspace.id, default_agent: agent }
      await config.write(setup, content)
      return setup
    })
  },
)

function isSetUp(config: Readonly<Record<string, unknown>>): config is DefaultSetup {
  return [config.default_workspace, config.default_agent].every((id) => typeof id === 'string' && id !== '')
}

/** The id of the default agent: an existing one, or a new one. */
async function ensureDefaultAgent(file: JsonFile, clock: Clock | undefined): Promise<string> {
  const content = await readable(file)
  const agents = content.records
  const first = Object.hasOwn(agents, DEFAULT_NAME) ? DEFAULT_NAME : Object.keys(agents)[0]
  if (first !== undefined) return first
  const agent = {
    name: DEFAULT_NAME,
    description: 'The agent to begin with.',
    type: 'assistant',
    status: 'inactive',
    goal: null,
    created_at: readClock(clock),
  }
  await file.write({ [DEFAULT_NAME]: agent }, content)
  return DEFAULT_NAME
}

async function readable(file: JsonFile): Promise<FileContent> {
  const content = await file.read()
  if (content.status === 'unreadable') throw unavailable('Reading', file.path, content.cause)
  return content
}
