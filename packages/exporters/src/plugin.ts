import { operations } from '@minions/core/operations'
import { definePlugin, tokens } from '@minions/core/plugin'
import { promptsRef } from '@minions/prompts'
import manifest from '../package.json' with { type: 'json' }
import { builtinExporters } from './builtin-exporters.js'
import { exportFormats } from './exporter.js'
import { ExportersApi } from './exporters-api.js'
import { exporterOperations } from './operations/exporter-operations.js'
import { exportersRef } from './ref.js'

/** Exports as a plugin, available as `app.exporters`. Other plugins contribute formats to `exportFormats`. */
export const exporters = () =>
  definePlugin({
    ref: exportersRef,
    version: manifest.version,
    deps: { client: tokens.client, prompts: promptsRef, formats: exportFormats },
    contributes: [
      [exportFormats, builtinExporters],
      [operations, exporterOperations],
    ],
    setup: ({ client, prompts, formats }) =>
      new ExportersApi(
        client,
        prompts,
        formats.map(({ value }) => value),
      ),
    join: (api, { client, prompts }) => api.on(client, prompts),
  })
