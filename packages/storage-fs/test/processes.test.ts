import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fsStorage } from '../src/index.js'
import { removeFolder, temporaryFolder } from './folders.js'

const numbers = defineCollection({
  name: 'numbers',
  version: 1,
  schema: Type.Object({ id: Type.String(), value: Type.Integer() }),
  key: 'id',
})

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  removeFolder(folder)
})

function start(job: object): ChildProcess {
  const argument = JSON.stringify({ root: join(folder, 'store'), ...job })
  const child = fork(fileURLToPath(new URL('./worker.mjs', import.meta.url)), [argument], { execArgv: [] })
  children.push(child)
  return child
}

async function succeeded(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}

it.each([
  ['two', 'json', 2],
  ['four', 'yaml', 4],
])(
  '%s processes raise one counter (%s): nothing is lost, nothing is seen by halves',
  async (_, format, count) => {
    const store = await Store.open(fsStorage({ root: join(folder, 'store'), format: format as 'json' }), [numbers])
    await store.putMany(numbers, [
      { id: 'a', value: 0 },
      { id: 'b', value: 0 },
    ])
    const times = 40
    const jobs = Array.from({ length: count }, () => succeeded(start({ job: 'count', times })))
    let running = true
    const all = Promise.all(jobs).finally(() => {
      running = false
    })
    let looks = 0
    let last = 0
    while (running) {
      const [a, b] = await store.getMany(numbers, ['a', 'b'])
      expect(a?.record.value).toBe(b?.record.value)
      expect(a?.record.value).toBeGreaterThanOrEqual(last)
      last = a?.record.value ?? 0
      looks += 1
      if (looks % 10 === 0) await store.put(numbers, { id: `own${looks}`, value: looks })
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await all
    expect(await store.get(numbers, 'a')).toEqual({ id: 'a', value: count * times })
    expect(await store.problems()).toEqual([])
    await store.close()
  },
  60_000,
)

it('goes on behind a process that was killed in the middle of a transaction', async () => {
  const store = await Store.open(fsStorage({ root: join(folder, 'store') }), [numbers])
  const holder = start({ job: 'hold' })
  await once(holder, 'message')
  expect(await store.get(numbers, 'held')).toBeUndefined()
  holder.kill('SIGKILL')
  await store.put(numbers, { id: 'x', value: 1 })
  expect(await store.get(numbers, 'held')).toBeUndefined()
  await store.close()
})

it('waits for a living process no longer than it is told', async () => {
  const holder = start({ job: 'hold' })
  await once(holder, 'message')
  const backend = fsStorage({ root: join(folder, 'store'), busyTimeout: 50 })
  await expect(Store.open(backend, [numbers])).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
})
