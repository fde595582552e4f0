import { operations } from '@minions/core/operations'
import { definePlugin } from '@minions/core/plugin'
import { httpRoutes, serverRef } from '@minions/server/plugin'
import manifest from '../package.json' with { type: 'json' }
import { studioRoutes } from './files/routes.js'
import { studioOperations } from './pages/operations.js'
import { studioPages } from './pages/studio-page.js'
import { studioRef } from './ref.js'

/** The page on the store of an app; a server of the app has it at `/studio`. */
export function studio() {
  return definePlugin({
    ref: studioRef,
    version: manifest.version,
    deps: { server: serverRef, pages: studioPages },
    contributes: [
      [httpRoutes, [studioRoutes]],
      [operations, studioOperations],
    ],
    setup: ({ pages }) => ({ pages }),
  })
}
