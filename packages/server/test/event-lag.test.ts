import { createMinions } from '@minions/host'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, type ServedApp, server } from '../src/index.js'
import { EventReader } from './support/sse.js'

/** An app that follows the change feed only while it is allowed to. */
function lagging<App extends ServedApp>(app: App) {
  let allow = () => {}
  let allowed = Promise.resolve()
  const stop = () => {
    allowed = new Promise((resolve) => {
      allow = resolve
    })
  }
  async function* pages(...args: Parameters<ServedApp['changePages']>) {
    for await (const page of app.changePages(...args)) {
      await allowed
      yield page
    }
  }
  const proxy = new Proxy(app, {
    get(target, name) {
      if (name === 'changePages') return pages
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { app: proxy, stop, goOn: () => allow() }
}

test('a listener that knows more than the server hears of nothing twice, and keeps its place', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [server()] })
  onTestFinished(() => app.close())
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['read'] })
  const behind = lagging(app)
  const [ahead, late] = [createHandler(app), createHandler(behind.app)]
  const listen = async (handler: typeof late, since: string) => {
    const headers = { authorization: `Bearer ${key}`, 'last-event-id': since }
    const reader = new EventReader(await handler(new Request('http://localhost/api/events?type=note', { headers })))
    onTestFinished(() => reader.close())
    return reader.opened()
  }
  const note = (id: string) => app.create('note', { id, title: id, fields: { content: 'x' } })
  const keysOf = async (reader: EventReader, count: number) => (await reader.take(count)).map(({ data }) => data.key)

  const first = await listen(late, 'now')
  const start = first.lastId
  behind.stop()
  await note('a')
  await note('b')
  const fast = await listen(ahead, start)
  expect(await keysOf(fast, 2)).toEqual(['a', 'b'])

  // The listener comes to the server that is behind, with the cursor of the one that is not.
  const moved = await listen(late, fast.lastId)
  const place = moved.lastId
  await note('c')
  behind.goOn()
  await note('d')
  expect(await keysOf(moved, 2)).toEqual(['c', 'd'])
  expect(await keysOf(first, 4)).toEqual(['a', 'b', 'c', 'd'])
  expect(await keysOf(await listen(ahead, place), 2)).toEqual(['c', 'd'])
})
