import type { ServerEvent } from '@modelcontextprotocol/server'
import type { DoorServer } from '../door/door-server.js'

/** Notifies the client of a persistent connection of a change, unless it has disconnected. */
export function forwardChange(server: DoorServer, event: ServerEvent, isModern: boolean): void {
  const sending = sendChange(server, event, isModern)
  sending?.catch(() => undefined)
}

/** Clients of the newer revision chose their notifications when they subscribed, which the connection enforces. */
function sendChange(server: DoorServer, event: ServerEvent, isModern: boolean): Promise<void> | undefined {
  switch (event.kind) {
    case 'resource_updated':
      if (!isModern && !server.subscribed.has(event.uri)) return undefined
      return server.sendResourceUpdated({ uri: event.uri })
    case 'resources_list_changed':
      return server.sendResourceListChanged()
    case 'prompts_list_changed':
      return server.sendPromptListChanged()
    case 'tools_list_changed':
      return server.sendToolListChanged()
  }
}
