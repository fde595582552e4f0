import type { Logger } from '@minions/core/plugin'
import type { SubagentManager } from '@minions/skills-runtime'
import { mcpError } from '../errors.js'
import type { RemoteServer } from './remote-server.js'
import type { ServerOptions } from './server-options.js'

/**
 * Connects to other servers and turns their offers into skills. A server that cannot be reached does not keep the app
 * from opening: it is retried until it can. Throws `CAPABILITY_MISSING` without the plugin `skills()`.
 */
export async function openServers(
  servers: Readonly<Record<string, ServerOptions>>,
  skills: SubagentManager | undefined,
  logger: Logger,
): Promise<ReadonlyMap<string, RemoteServer>> {
  const named = Object.entries(servers)
  if (named.length === 0) return new Map()
  if (!skills) {
    throw mcpError(
      'CAPABILITY_MISSING',
      'Tools and skills of MCP servers become skills: add skills() of @minions/skills-runtime to `plugins`.',
    )
  }
  // Loaded only if there are servers.
  const { RemoteServer } = await import('./remote-server.js')
  const opened = new Map(named.map(([name, options]) => [name, new RemoteServer(name, options, skills, logger)]))
  await Promise.all([...opened.values()].map((server) => server.start()))
  return opened
}
