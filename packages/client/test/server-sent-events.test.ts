import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerSentEvent } from '../src/server-sent-events.js'

async function read(text: string, sizes: readonly number[]): Promise<ServerSentEvent[]> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let index = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = sizes[index++ % sizes.length] ?? 1
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(stream)) events.push(event)
  return events
}

test('events are read as the standard says', async () => {
  const text =
    ': hello\n\nevent: a\ndata: 1\ndata:2\ndata\n\nid: 7\r\ndata: x: y\r\n\r\nevent: none\n\nretry: 5\ndata: z\r\rdata: cut'
  expect(await read(text, [1000])).toEqual([
    { event: 'a', data: '1\n2\n', id: '' },
    { event: 'message', data: 'x: y', id: '7' },
    { event: 'message', data: 'z', id: '7' },
  ])
})

test('chunks may end anywhere, in a character and between CR and LF too', async () => {
  const line = fc.constantFrom('data: ä€𝄞', 'data: {"a":1}', 'event: e', 'id: 5', ': c', '', '', 'data')
  const text = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 30 })
    .map((lines) => lines.map(([one, end]) => one + end).join(''))
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(text, sizes, async (given, cuts) => {
      expect(await read(given, cuts)).toEqual(await read(given, [100_000]))
    }),
    { seed: 5 },
  )
})
