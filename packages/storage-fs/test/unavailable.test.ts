import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fsStorage } from '../src/index.js'
import { removeFolder, temporaryFolder } from './folders.js'

const docs = defineCollection({
  name: 'docs',
  version: 1,
  schema: Type.Object({ id: Type.String(), group: Type.Integer(), text: Type.String() }),
  key: 'id',
})

const [MOUNT, UMOUNT] = ['/bin/mount', '/bin/umount']

let disk: string
let isMounted: boolean

beforeEach(() => {
  disk = temporaryFolder()
  isMounted = mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs')
})

afterEach(() => {
  if (isMounted) execFileSync(UMOUNT, ['--lazy', disk])
  removeFolder(disk)
})

function mount(...options: string[]): boolean {
  try {
    execFileSync(MOUNT, [...options, disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const open = () => Store.open(fsStorage({ root: join(disk, 'store') }), [docs])

const needsMount = { meta: { needs: 'the right to mount a disk: run as root' } }

it('says so when the disk is full, loses nothing, and continues when there is space', needsMount, async ({ skip }) => {
  if (!isMounted) skip()
  const store = await open()
  const filler = join(disk, 'filler')
  const acknowledged: string[] = []
  const errors = new Set<string>()
  let group = 0
  const write = async () => {
    group += 1
    const ids = [0, 1, 2].map((n) => `${group}-${n}`)
    try {
      await store.putMany(
        docs,
        ids.map((id) => ({ id, group, text: 'x'.repeat(3000) })),
      )
      acknowledged.push(...ids)
      return true
    } catch (error) {
      errors.add((error as { code: string }).code)
      return false
    }
  }
  const check = async (each: Store) => {
    const { items } = await each.find(docs, { limit: 1000 })
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set([...acknowledged]))
    expect(await each.problems()).toEqual([])
  }
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 5; n++) expect(await write()).toBe(true)
    fillUp(filler)
    let refused = 0
    for (let n = 0; n < 30; n++) if (!(await write())) refused += 1
    expect(refused).toBeGreaterThan(0)
    await check(store)
    rmSync(filler)
    expect(await write()).toBe(true)
    await check(store)
  }
  expect([...errors]).toEqual(['STORAGE_UNAVAILABLE'])
  fillUp(filler)
  await store.close()
  rmSync(filler)
  const again = await open()
  await check(again)
  await again.close()
})

function fillUp(filler: string): void {
  for (const size of [1 << 20, 1 << 14, 1 << 12]) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
    } catch {}
  }
}

it(
  'reads a store that it may not write, edits by hand included, and says so when it should write',
  needsMount,
  async ({ skip }) => {
    if (!isMounted) skip()
    const first = await open()
    await first.put(docs, { id: 'a', group: 1, text: 'one' })
    const file = join(disk, 'store', 'docs', 'ca', 'a.json')
    await first.close()
    writeFileSync(file, JSON.stringify({ id: 'a', group: 1, text: 'by hand' }))
    expect(mount('-o', 'remount,ro')).toBe(true)
    const store = await open()
    expect(await store.get(docs, 'a')).toEqual({ id: 'a', group: 1, text: 'by hand' })
    expect(await store.count(docs)).toBe(1)
    await expect(store.put(docs, { id: 'b', group: 1, text: '' })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    const newer = defineCollection({
      ...docs.declaration,
      schema: Type.Object({}),
      version: 2,
      key: 'id',
      columns: {},
      createdAt: undefined as never,
      text: undefined as never,
    })
    await expect(Store.open(fsStorage({ root: join(disk, 'store') }), [newer])).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    expect(mount('-o', 'remount,rw')).toBe(true)
    await store.put(docs, { id: 'b', group: 1, text: '' })
    writeFileSync(file, JSON.stringify({ id: 'a', group: 1, text: 'again' }))
    expect((await store.get(docs, 'a'))?.text).toBe('again')
    await store.close()
  },
)

it('says so when the root cannot be made or is a file', async () => {
  const path = join(disk, 'file')
  writeFileSync(path, '')
  for (const root of [path, join(path, 'below')]) {
    await expect(Store.open(fsStorage({ root }), [docs])).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  }
})
