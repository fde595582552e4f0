import { pluginRef } from '@minions/core/plugin'
import type { Executor } from '@minions/skills-runtime/jobs'

/** The API of the plugin: `app.bullmq`. */
export interface BullmqApi {
  readonly executor: Executor
}

/** The BullMQ of an app, as other plugins depend on it. */
export const bullmqRef = pluginRef<BullmqApi>()('@minions/bullmq', 'bullmq')
