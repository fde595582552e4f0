import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SessionStore } from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

const clock = () => '2026-01-31T09:30:00.000Z'

it('creates, appends, reads and lists', async () => {
  const root = await temporaryDirectory()
  const store = new SessionStore(root, { clock })
  expect(await store.list()).toEqual([])
  const session = await store.create()
  expect(session.id).toMatch(/^2026-01-31T09-30-00-000Z_[0-9a-f]{8}$/)
  expect(session.path).toBe(join(root, 'sessions', `${session.id}.jsonl`))
  const messages = [
    { role: 'user', content: 'a\nb \u2028 ☃ \ud800' },
    JSON.parse('{"__proto__": 1, "role": "assistant"}'),
  ]
  await store.append(session, messages[0])
  await store.append(session.id, messages[1])
  expect(await store.read(session.id)).toEqual({ messages, problems: [] })
  expect(JSON.stringify((await store.read(session)).messages[1])).toContain('__proto__')
  expect(await store.list()).toMatchObject([{ id: session.id, path: session.path, bytes: expect.any(Number) }])
  await expect(store.create(session.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(store.read('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('reports damaged lines and reads the others', async () => {
  const root = await temporaryDirectory()
  const store = new SessionStore(root)
  const session = await store.create('s')
  await store.append(session, { n: 1 })
  await appendFile(session.path, '{"n": \n\n[1]\n{"n": 2}\n{"half')
  await store.append(session, { n: 3 })
  const { messages, problems } = await store.read(session)
  expect(messages).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(problems.map(({ line, text }) => [line, text])).toEqual([
    [2, '{"n": '],
    [4, '[1]'],
    [6, '{"half'],
  ])
})

it('refuses messages that are none, and writes nothing then', async () => {
  const store = new SessionStore(await temporaryDirectory())
  const session = await store.create('s')
  for (const message of [null, 'x', [1], { f: () => 1 }, { n: Number.NaN }]) {
    await expect(store.append(session, message as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  expect(await readFile(session.path, 'utf8')).toBe('')
})

it.each(['../x', 'a/b', '..', '', '.', '/etc/x', 'NUL', 'a\0b', 'x'.repeat(255), 'a\\b'])(
  'refuses the id %j',
  async (id) => {
    const store = new SessionStore(await temporaryDirectory())
    const refused = expect.objectContaining({ code: 'PATH_REFUSED' })
    await expect(store.create(id)).rejects.toEqual(refused)
    await expect(store.append(id, {})).rejects.toEqual(refused)
    await expect(store.read(id)).rejects.toEqual(refused)
  },
)

it('keeps messages of many writers whole, and lists only session files', async () => {
  const root = await temporaryDirectory()
  await mkdir(join(root, 'sessions/folder.jsonl'), { recursive: true })
  await writeFile(join(root, 'sessions/notes.txt'), '')
  const store = new SessionStore(root)
  await store.create('s')
  await Promise.all(Array.from({ length: 100 }, (_, n) => store.append('s', { n, text: 'z'.repeat(3000) })))
  const { messages, problems } = await store.read('s')
  expect(problems).toEqual([])
  expect(messages.map(({ n }) => n as number).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  expect((await store.list()).map(({ id }) => id)).toEqual(['s'])
})
