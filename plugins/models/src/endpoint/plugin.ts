import { definePlugin, pluginRef } from '@minions/core/plugin'
import { httpRoutes, serverRef } from '@minions/server/plugin'
import manifest from '../../package.json' with { type: 'json' }
import { modelsRef } from '../ref.js'
import { chatRoutes } from './routes.js'

/** The API of the endpoint in an app: `app.chatEndpoint`. */
export interface ChatEndpoint {
  /** Path of the endpoint below the address of the server. */
  readonly path: string
}

const chatEndpointRef = pluginRef<ChatEndpoint>()('@minions/models/endpoint', 'chatEndpoint')

/**
 * Mounts an OpenAI-compatible endpoint in the server. Needs `models()` and `server()`; agents are included if there are
 * any.
 */
export function chatEndpoint() {
  return definePlugin({
    ref: chatEndpointRef,
    version: manifest.version,
    deps: { models: modelsRef, server: serverRef },
    contributes: [[httpRoutes, [chatRoutes]]],
    setup: () => ({ path: chatRoutes.path }),
  })
}
