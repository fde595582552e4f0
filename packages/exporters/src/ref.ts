import { pluginRef } from '@minions/core/plugin'
import type { ExportersApi } from './exporters-api.js'

/** The exports of an app, as a dependency of other plugins. Everything also works inside a transaction. */
export const exportersRef = pluginRef<ExportersApi, ExportersApi>()('@minions/exporters', 'exporters')
