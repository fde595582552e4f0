import { colony, deterministicRoles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import type { Plugin } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { createHandler } from '@minions/server'
import { server } from '@minions/server/plugin'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'
import { type McpOptions, mcp } from '../../src/index.ts'

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const

type Revision = (typeof REVISIONS)[number]

/** An app with everything that MCP clients can reach. */
export async function openApp(options: McpOptions = {}, morePlugins: readonly Plugin[] = []) {
  return createMinions({
    storage: 'memory:',
    plugins: [
      prompts(),
      workspace({ store: 'storage', configDir: '/nowhere' }),
      colonyContracts(),
      skills(),
      colony({ roles: deterministicRoles() }),
      server(),
      mcp(options),
    ],
    morePlugins,
  })
}

export type OpenApp = Awaited<ReturnType<typeof openApp>>

function negotiation(revision: Revision): VersionNegotiationOptions {
  return { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } }
}

export interface ConnectOptions extends ClientOptions {
  readonly revision?: Revision
  readonly scopes?: readonly ('read' | 'write' | 'approve' | 'admin')[]
  readonly owner?: string
  readonly tenant?: string
  /** Query of the address, such as `access=write`. */
  readonly query?: string
}

/** An official client that speaks with the handler of an app. */
export async function connect(
  app: OpenApp,
  {
    revision = '2026-07-28',
    scopes = ['read', 'write', 'approve'],
    owner = 'ada',
    tenant,
    query = '',
    ...options
  }: ConnectOptions = {},
) {
  const handler = createHandler(app)
  const { key, record } = await app.server.keys.create({ owner, scopes: [...scopes] })
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost/mcp?${query}`), {
    fetch: (url, init) => handler(new Request(url, init)),
    requestInit: {
      headers: { Authorization: `Bearer ${key}`, ...(tenant !== undefined && { 'Minions-Tenant': tenant }) },
    },
  })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: negotiation(revision), ...options },
  )
  await client.connect(transport)
  return Object.assign(client, { handler, key, keyId: record.id })
}
