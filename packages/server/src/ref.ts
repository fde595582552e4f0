import { pluginRef } from '@minions/core/plugin'
import type { ServerApi } from './server-api.js'

/** The server's part of an app, as other plugins depend on it. */
export const serverRef = pluginRef<ServerApi>()('@minions/server', 'server')
