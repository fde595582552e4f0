import { definePlugin, pluginRef } from '@minions/core/plugin'
import { httpRoutes, serverRef } from '@minions/server/plugin'
import manifest from '../../package.json' with { type: 'json' }
import { modelsRef } from '../ref.js'
import { chatRoutes } from './routes.js'

/** What stands under `chatEndpoint` in an app. */
export interface ChatEndpoint {
  /** Where the endpoint is, below the address of the server. */
  readonly path: string
}

const chatEndpointRef = pluginRef<ChatEndpoint>()('@minions/models/endpoint', 'chatEndpoint')

/** Mounts an OpenAI-compatible endpoint in the server. Needs `models()` and `server()`; agents are found if there are any. */
export function chatEndpoint() {
  return definePlugin({
    ref: chatEndpointRef,
    version: manifest.version,
    deps: { models: modelsRef, server: serverRef },
    contributes: [[httpRoutes, [chatRoutes]]],
    setup: () => ({ path: chatRoutes.path }),
  })
}
