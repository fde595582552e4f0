import type { ServerEvent } from '@modelcontextprotocol/server'
import type { DoorServer } from '../door/door-server.js'

/** Tells the client at the other end of a lasting connection of a change. One that has gone away is not told. */
export function forwardChange(server: DoorServer, event: ServerEvent, isModern: boolean): void {
  const sending = sendChange(server, event, isModern)
  sending?.catch(() => undefined)
}

/** Clients of the newer revision chose what they hear of when they began to listen, and the connection sees to that. */
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
