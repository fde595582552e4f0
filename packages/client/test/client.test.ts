import { isMinionsError as isCoreError } from '@minions/core'
import { expect, test } from 'vitest'
import { createClient, isMinionsError, type Progress } from '../src/index.js'
import { served } from './support/served.js'

test('operations are called by their names', async () => {
  const { client, url, key } = await served()
  const note = await client.objects.create({ type: 'note', title: 'Plants', fields: { content: 'Water' } })
  expect(note).toMatchObject({ title: 'Plants', createdBy: 'ada' })
  expect(await client.objects.get({ id: note.id })).toEqual(note)
  expect(await client.objects.count()).toEqual({ count: 1 })
  await client.prompts.create({ title: 'Greeting', content: 'Hello {{name}}!' })
  const rendered = await client.prompts.render({ prompt: 'Greeting', variables: { name: 'Ada' } })
  expect(rendered.text).toBe('Hello Ada!')
  expect(await client.call('objects.count', { type: 'note' })).toEqual({ count: 1 })
  const untyped = createClient({ url: new URL(url), key })
  expect(await untyped.objects?.count?.({ type: 'note' })).toEqual({ count: 1 })
})

test('errors are MinionsErrors with the code and details of the server', async () => {
  const { client, clientWith } = await served()
  const error = await client.objects.get({ id: 'nowhere' }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'NOT_FOUND', details: { id: 'nowhere', status: 404 } })
  expect([
    isMinionsError(error, 'NOT_FOUND'),
    isMinionsError(error, 'CONFLICT'),
    isCoreError(error, 'NOT_FOUND'),
  ]).toEqual([true, false, true])
  await expect(clientWith({ key: 'wrong' }).objects.count()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(client.call('objects.gett' as 'objects.get', { id: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('pages follow one another, and are asked for when they are needed', async () => {
  const { client, clientWith } = await served()
  const items = Array.from({ length: 25 }, (_, index) => ({ title: `Task ${index}` }))
  await client.objects.createMany({ type: 'task', items })
  const sizes: number[] = []
  for await (const page of client.objects.find.pages({ type: 'task', limit: 10 })) sizes.push(page.items.length)
  expect(sizes).toEqual([10, 10, 5])
  let requests = 0
  const counting = clientWith({
    fetch: (...args) => {
      requests++
      return fetch(...args)
    },
  })
  const titles: string[] = []
  for await (const { title } of counting.objects.find.iterate({ type: 'task', limit: 10 })) {
    titles.push(title)
    if (titles.length === 15) break
  }
  expect([new Set(titles).size, requests]).toEqual([15, 2])
})

test('what takes long is waited for', async () => {
  const { app, client } = await served({ runAfter: 20 })
  expect(await client.walks.take.long({ steps: 30, pause: 5 })).toMatchObject({ steps: 30 })
  expect((await app.server.runs.list()).items).toHaveLength(1)
  await expect(client.walks.take.long({ steps: 30, pause: 5, fail: true })).rejects.toMatchObject({
    code: 'TIRED',
    details: { steps: 30 },
  })
})

test('progress is told', async () => {
  const { client } = await served()
  const seen: Progress[] = []
  const onProgress = (progress: Progress) => void seen.push(progress)
  expect(await client.walks.take.long({ steps: 5, pause: 20 }, { onProgress })).toMatchObject({ steps: 5 })
  expect(seen.map(({ done }) => done)).toEqual([0, 1, 2, 3, 4])
  await expect(client.walks.take.long({ steps: 2, fail: true }, { onProgress })).rejects.toMatchObject({
    code: 'TIRED',
  })
})

test('a run is started, watched and cancelled, by another client too', async () => {
  const { client, clientWith } = await served()
  const run = await client.walks.take.long.start({ steps: 1000, pause: 5 })
  expect(await run.get()).toMatchObject({ status: 'running', operation: 'walks.take.long' })
  const other = clientWith().run<{ steps: number }>(run.id)
  await other.cancel()
  await expect(other.result()).rejects.toMatchObject({ code: 'CANCELLED' })
  const short = await client.walks.take.long.start({ steps: 3 })
  expect((await short.result()).steps).toBe(3)
})

test('a key that is limited to an area can follow its runs', async () => {
  const { client } = await served({ runAfter: 10 }, { namespaces: ['walks'], scopes: ['write'] })
  expect(await client.walks.take.long({ steps: 10, pause: 5 })).toMatchObject({ steps: 10 })
  await expect(client.objects.count()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a call is cancelled by its signal, also while it waits', async () => {
  const { client } = await served({ runAfter: 10 })
  const cancelled = { code: 'CANCELLED' }
  await expect(client.objects.count({}, { signal: AbortSignal.abort() })).rejects.toMatchObject(cancelled)
  const controller = new AbortController()
  const calls = [
    client.walks.take.long({ steps: 1000, pause: 5 }, { signal: controller.signal }),
    client.walks.take.long({ steps: 1000, pause: 5 }, { signal: controller.signal, onProgress: () => {} }),
  ].map((call) => expect(call).rejects.toMatchObject(cancelled))
  setTimeout(() => controller.abort(), 50)
  await Promise.all(calls)
  for await (const run of client.runs.list.iterate({ status: 'running' })) await client.runs.cancel({ id: run.id })
})

test('the tenant is that of the call, or that of the client', async () => {
  const { clientWith } = await served()
  const client = clientWith({ tenant: 'acme' })
  await client.keys.create({ owner: 'x', scopes: ['read'] })
  const { items } = await client.keys.list()
  expect(items.map(({ tenant }) => tenant)).toEqual(['acme'])
  expect((await client.keys.list({}, { tenant: 'other' })).items).toEqual([])
})

test('a client is not a promise, and what is no operation is not sent', async () => {
  const { client } = await served()
  expect(await Promise.resolve(client)).toBe(client)
  expect(await Promise.resolve(client.objects)).toBeTypeOf('function')
  expect(() => JSON.stringify(client)).toThrow(/not an operation/)
})
