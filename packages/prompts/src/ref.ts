import { pluginRef } from '@minions/core/plugin'
import type { PromptsApi } from './prompts-api.js'

/** The prompts of an app, as other plugins depend on them. Everything works inside a transaction too. */
export const promptsRef = pluginRef<PromptsApi, PromptsApi>()('@minions/prompts', 'prompts')
