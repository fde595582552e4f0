import { expect, test } from 'vitest'
import { json } from './support/app.js'
import { servedWork } from './support/work.js'

const STREAM = { accept: 'text/event-stream' }

interface Received {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: what is read back is compared, not used
  readonly data: any
}

/** Reads server-sent events one by one. */
async function* eventsOf(answer: Response): AsyncGenerator<Received> {
  let text = ''
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? ''
      if (!message.startsWith(':')) yield { event: field('event'), data: JSON.parse(field('data')) }
    }
  }
}

test('an operation tells how far it is, and then its result', async () => {
  const { work, post } = await servedWork()
  const answer = await post('work.slow', { title: 'A', steps: 2 }, STREAM)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const seen: Received[] = []
  for await (const received of eventsOf(answer)) {
    seen.push(received)
    if (received.event === 'progress') {
      await work.reached()
      work.release()
    }
  }
  expect(seen.map(({ event }) => event)).toEqual(['run', 'progress', 'progress', 'result'])
  expect(seen[1]?.data).toEqual({ done: 0, total: 2, message: 'step 1' })
  expect(seen[3]?.data).toMatchObject({ title: 'A', createdBy: 'ada' })
  const run = await json(await post('runs.get', { id: seen[0]?.data.id }))
  expect(run).toMatchObject({ status: 'succeeded', result: seen[3]?.data })
})

test('what is refused is a problem, also before anything began', async () => {
  const { work, post } = await servedWork()
  const last = async (name: string, input: unknown) => {
    let received: Received | undefined
    for await (received of eventsOf(await post(name, input, STREAM))) if (received.event === 'progress') work.release()
    return received
  }
  expect(await last('work.slow', { title: 5 })).toMatchObject({ event: 'problem', data: { code: 'VALIDATION_FAILED' } })
  const failing = last('work.slow', { title: 'A', fail: 'BROKEN' })
  await work.reached()
  work.release()
  expect(await failing).toMatchObject({ event: 'problem', data: { code: 'BROKEN' } })
  expect(await last('work.quick', { title: 'A', fail: 'raw' })).toMatchObject({
    event: 'problem',
    data: { code: 'INTERNAL' },
  })
})

test('a write goes on when its stream is cut, a read does not', async () => {
  const { app, work, post } = await servedWork()
  const cut = async (name: string, input: unknown) => {
    const gone = new AbortController()
    const answer = await post(name, input, STREAM, undefined, gone.signal)
    await work.reached()
    gone.abort()
    await answer.body?.cancel()
  }
  await cut('work.slow', { title: 'A' })
  work.release()
  await expect.poll(() => app.count()).toBe(1)
  await cut('work.look', {})
  await app.server.runs.settle(10_000)
})

test('a repeated stream follows the same run', async () => {
  const { work, post } = await servedWork()
  const headers = { ...STREAM, 'idempotency-key': 'one' }
  const follow = async () => {
    const seen: Received[] = []
    for await (const received of eventsOf(await post('work.slow', { title: 'A' }, headers))) seen.push(received)
    return seen
  }
  const first = follow()
  await work.reached()
  // The claim of the first is answered with its run as soon as that is stored.
  await expect
    .poll(async () => (await post('work.slow', { title: 'A' }, { 'idempotency-key': 'one' })).status)
    .toBe(202)
  const second = follow()
  work.release()
  const [one, two] = [await first, await second]
  expect(two.at(-1)).toEqual(one.at(-1))
  expect(two[0]?.data.id).toBe(one[0]?.data.id)
  expect(work.calls).toBe(1)
})
