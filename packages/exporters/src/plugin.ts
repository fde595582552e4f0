import { definePlugin } from '@minions/core'
import { builtinExporters } from './builtin-exporters.js'
import { ExporterRegistry, exporterRegistryToken } from './exporter-registry.js'
import { ExportersApi } from './exporters-api.js'

/** Exports as a plugin; the app has them as `app.exporters`. Other plugins add formats to the registry. */
export const exporters = () =>
  definePlugin({
    name: '@minions/exporters',
    namespace: 'exporters',
    version: '0.1.0',
    setup(context) {
      const registry = new ExporterRegistry()
      for (const exporter of builtinExporters) registry.register(exporter)
      context.provide(exporterRegistryToken, registry)
      return new ExportersApi(context.minions, registry)
    },
    join: (api, { minions }) => api.on(minions),
  })
