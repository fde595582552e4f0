// @ts-check
import { createClient } from '@minions/client'
import { refusal } from '../refusal.mjs'

/** A server of a few lines, so that the page needs no other host. @type {typeof fetch} */
const fetchHere = async (input, init) => {
  const request = new Request(input, init)
  const name = new URL(request.url).pathname.split('/').at(-1)
  const { cursor = '0' } = /** @type {{ cursor?: string }} */ (await request.json())
  if (name === 'objects.get') {
    const problem = { code: 'NOT_FOUND', detail: 'There is none.', details: {} }
    return Response.json(problem, { status: 404, headers: { 'content-type': 'application/problem+json' } })
  }
  if (name === 'objects.find') {
    const next = cursor === '2' ? {} : { nextCursor: String(Number(cursor) + 1) }
    return Response.json({ items: [`item ${cursor}`], ...next })
  }
  const events = 'event: progress\ndata: {"done":1}\n\nevent: result\ndata: {"walked":true}\n\n'
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
}

export async function observe() {
  const client = createClient({ url: 'http://localhost/minions', key: 'mk_x', fetch: fetchHere })
  const items = []
  for await (const item of client.objects?.find?.iterate({}) ?? []) items.push(item)
  /** @type {number[]} */
  const progress = []
  return {
    items,
    code: await refusal(() => client.call('objects.get', { id: 'x' })),
    walked: await client.call('walks.take', {}, { onProgress: ({ done }) => void progress.push(done) }),
    progress,
  }
}

export const expected = {
  items: ['item 0', 'item 1', 'item 2'],
  code: 'NOT_FOUND',
  walked: { walked: true },
  progress: [1],
}
