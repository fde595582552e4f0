import type { DoorServer } from '../door/door-server.js'
import type { ResourceProvider } from '../door/features.js'
import type { CallOf } from '../door/mcp-call.js'
import { joinedPage } from '../door/pages.js'
import { refused, resourceNotFound } from '../door/refused.js'

/** Serves the resources of all providers. */
export function handleResources(server: DoorServer, callOf: CallOf, providers: readonly ResourceProvider[]): void {
  server.setRequestHandler('resources/list', async ({ params }, request) => {
    const { items: resources, ...next } = await joinedPage(providers, params?.cursor, callOf(request))
    return { resources, ...next }
  })
  server.setRequestHandler('resources/templates/list', (_, request) => {
    const call = callOf(request)
    return { resourceTemplates: providers.flatMap((each) => [...each.templates(call)]) }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, request) => {
    const call = callOf(request)
    for (const provider of providers) {
      const found = await refused(() => provider.read(uri, call), uri)
      if (found !== undefined) return found
    }
    throw resourceNotFound(uri)
  })
}
