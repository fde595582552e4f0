import { expect, it } from 'vitest'
import { StreamSink } from '../src/http/stream-sink.js'

const bytes = (text: string) => new TextEncoder().encode(text)

it('hands on what is written as it is read, and says when the reader is behind', async () => {
  const sink = new StreamSink()
  const reader = sink.body.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  const first = read()
  expect(sink.write(bytes('a'))).toBeUndefined()
  expect(await first).toBe('a')
  const waits = sink.write(bytes('b'))
  const longer = sink.write(bytes('c'))
  expect([waits, longer]).toEqual([expect.any(Promise), expect.any(Promise)])
  expect([await read(), await read()]).toEqual(['b', 'c'])
  await Promise.all([waits, longer])
  const next = read()
  expect(sink.write(bytes('d'))).toBeUndefined()
  expect(await next).toBe('d')
})

it('ends from either side, and those who wait go on', async () => {
  const ended = new StreamSink()
  const waits = ended.write(bytes('a'))
  ended.end(bytes('last'))
  await Promise.all([waits, ended.closed])
  expect(ended.write(bytes('too late'))).toBeUndefined()
  ended.end()
  expect(await new Response(ended.body).text()).toBe('alast')

  const left = new StreamSink()
  const waiting = left.write(bytes('a'))
  await left.body.cancel()
  await Promise.all([waiting, left.closed])
  expect(left.write(bytes('b'))).toBeUndefined()
  expect(left.isStuck).toBe(false)
})
