import { pluginRef } from '@minions/core/plugin'

/** The read API of Langfuse; other plugins have nothing to call here. */
export const langfuseRef = pluginRef<object>()('@minions/langfuse', 'langfuse')
