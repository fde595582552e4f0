import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { DoorServer } from '../door/door-server.js'

/** Maximum number of resources that one client of the older revision may subscribe to. */
const MOST_SUBSCRIBED = 1000

/** Takes subscriptions of clients of the older revision. */
export function handleSubscriptions(server: DoorServer): void {
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (server.subscribed.size >= MOST_SUBSCRIBED) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `At most ${MOST_SUBSCRIBED} subscriptions are allowed; end one first.`,
      )
    }
    server.subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    server.subscribed.delete(uri)
    return {}
  })
}
