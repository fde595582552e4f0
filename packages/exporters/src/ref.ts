import { pluginRef } from '@minions/core/plugin'
import type { ExportersApi } from './exporters-api.js'

/** The exports of an app, as other plugins depend on them. Everything works inside a transaction too. */
export const exportersRef = pluginRef<ExportersApi, ExportersApi>()('@minions/exporters', 'exporters')
