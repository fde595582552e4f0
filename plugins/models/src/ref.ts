import { pluginRef } from '@minions/core/plugin'
import type { Models } from './door/models.js'

/** The models of an app, as other plugins depend on them. */
export const modelsRef = pluginRef<Models>()('@minions/models', 'models')
