import { ACCESS_KINDS, eventSources } from '@minions/core/operations'
import { definePlugin, guarded, optional, takeOptions, tokens } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { httpRoutes, serverRef } from '@minions/server/plugin'
import { skillsRef } from '@minions/skills-runtime'
import { type Static, Type } from 'typebox'
import manifest from '../package.json' with { type: 'json' }
import { openServers } from './client/open-servers.js'
import { checkServers, type ServerOptions } from './client/server-options.js'
import { mcpFeatures } from './door/features.js'
import { checkProfile } from './door/profile.js'
import { secretCollection } from './door/seal.js'
import { mcpRoutes } from './http/routes.js'
import { Mcp } from './mcp.js'
import { mcpRef } from './ref.js'

const OptionsSchema = strictObject({
  tools: Type.Optional(
    Type.Array(Type.String(), { description: 'Operations that are tools: names, and patterns such as `prompts.*`.' }),
  ),
  access: Type.Optional(
    Type.Array(Type.Enum(ACCESS_KINDS), { description: 'Kinds of access that clients get; `read` by default.' }),
  ),
})

export interface McpOptions extends Static<typeof OptionsSchema> {
  /** Other MCP servers, by names of your own, whose tools and skills become skills. */
  readonly servers?: Readonly<Record<string, ServerOptions>>
}

/** The Model Context Protocol: other agents use the app, and the app uses the tools and skills of other servers. */
export const mcp = guarded('mcp', (options: McpOptions = {}) => {
  const { servers = {}, ...profile } = takeOptions('The options of mcp', options)
  checkProfile(profile)
  checkServers(servers)
  return definePlugin({
    ref: mcpRef,
    version: manifest.version,
    deps: {
      client: tokens.client,
      store: tokens.store,
      logger: tokens.logger,
      sources: eventSources,
      features: mcpFeatures,
      server: optional(serverRef),
      skills: optional(skillsRef),
    },
    collections: [secretCollection],
    contributes: [[httpRoutes, [mcpRoutes]]],
    options: { schema: OptionsSchema, value: profile },
    setup: async ({ sources, features, skills, ...deps }) =>
      new Mcp({
        ...deps,
        sources: sources.map(({ value }) => value),
        features: features.map(({ value }) => value),
        profile,
        registry: skills?.registry,
        servers: await openServers(servers, skills, deps.logger),
      }),
    dispose: (api) => api.close(),
  })
})
