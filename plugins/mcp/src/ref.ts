import { pluginRef } from '@minions/core/plugin'
import type { Mcp } from './mcp.js'

/** The plugin as others depend on it. */
export const mcpRef = pluginRef<Mcp>()('@minions/mcp', 'mcp')
