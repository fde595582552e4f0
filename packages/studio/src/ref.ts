import { pluginRef } from '@minions/core/plugin'
import type { StudioApi } from './studio-api.js'

/** The Studio's part of an app, as other plugins depend on it. */
export const studioRef = pluginRef<StudioApi>()('@minions/studio', 'studio')
