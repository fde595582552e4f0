import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandServerOptions } from '../../src/index.ts'

/** Folder in which official servers were installed. */
const folder = process.env.MINIONS_MCP_PEERS ?? ''

const pathOf = (name: string) => join(folder, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)

export const hasPeers =
  folder !== '' && ['everything', 'memory', 'filesystem'].every((name) => existsSync(pathOf(name)))

/** Why the tests are skipped, and what to do about it. */
export const needsPeers = 'Official MCP servers: npm run conformance'

/** An official server. */
export function peer(
  name: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): CommandServerOptions {
  return { command: process.execPath, args: [pathOf(name), ...args], env }
}
