import { definePlugin } from '@minions/core/plugin'
import { exportersRef } from '@minions/exporters'
import { promptsRef } from '@minions/prompts'
import { httpRoutes, serverRef } from '@minions/server/plugin'
import manifest from '../package.json' with { type: 'json' }
import { promptRoutes } from './prompt-routes.js'
import { langfuseRef } from './ref.js'

/** Serves prompts of an app to Langfuse clients. */
export function langfuse() {
  return definePlugin({
    ref: langfuseRef,
    version: manifest.version,
    deps: { prompts: promptsRef, exporters: exportersRef, server: serverRef },
    contributes: [[httpRoutes, [promptRoutes]]],
    setup: () => ({}),
  })
}
