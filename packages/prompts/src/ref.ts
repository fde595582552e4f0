import { pluginRef } from '@minions/core/plugin'
import type { PromptsApi } from './prompts-api.js'

/** The prompts of an app, as a dependency of other plugins. Everything also works inside a transaction. */
export const promptsRef = pluginRef<PromptsApi, PromptsApi>()('@minions/prompts', 'prompts')
