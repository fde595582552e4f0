import { expect, it } from 'vitest'
import type { ChangeEvent } from '../src/events/change-events.js'
import { EventListener } from '../src/events/event-listener.js'

/** A change as one reader of the feed comes to it: on PostgreSQL its cursor depends on what else runs at that moment. */
function changeBy(reader: string, name: string): ChangeEvent {
  const bytes = new TextEncoder().encode(`${name} `)
  return { cursor: `${name} by ${reader}`, identity: name, collection: 'minions', key: name, bytes }
}

it('hears of a change once that it caught up on and that the hub tells as well, with another cursor', async () => {
  let heard = ''
  const sink = {
    write: async (bytes: Uint8Array) => {
      heard += new TextDecoder().decode(bytes)
    },
    end: () => undefined,
  }
  const listener = new EventListener(() => true, sink)
  listener.hold()
  listener.tell([changeBy('hub', 'b')])
  await listener.catchUp([changeBy('it', 'a'), changeBy('it', 'b'), changeBy('it', 'c')])
  listener.release('c by it')
  listener.tell([changeBy('hub', 'c'), changeBy('hub', 'd')])
  listener.tell([changeBy('hub', 'e')])
  await expect.poll(() => listener.isIdle).toBe(true)
  expect(heard).toBe('a b c d e ')
})
