import { pluginRef } from '@minions/core/plugin'
import type { Agents } from './agents.js'

/** The agents of an app, as other plugins depend on them. */
export const agentsRef = pluginRef<Agents>()('@minions/models/agents', 'agents')
