import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineCollection, Store } from '@minions/core'
import fc from 'fast-check'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Folder } from '../src/folder.js'
import { fsStorage } from '../src/index.js'
import { Fenced, JOURNAL, Journal } from '../src/journal/journal.js'
import { encodeRecord, parseRecords } from '../src/journal/record.js'
import { removeFolder, temporaryFolder } from './folders.js'

const docs = defineCollection({
  name: 'docs',
  version: 1,
  schema: Type.Object({ id: Type.String(), n: Type.Integer() }),
  key: 'id',
})

let root: string
let folder: Folder

beforeEach(() => {
  root = temporaryFolder()
  folder = new Folder(root)
  folder.createStateFolders()
})

afterEach(() => removeFolder(root))

const change = (key: string) => ({
  collection: 'c',
  key,
  path: `c/00/${key}.json`,
  was: null,
  hash: 'h',
  revision: 'r',
  record: { id: key },
})
const keys = (records: ReturnType<Journal['read']>) =>
  records === 'lost' ? records : records.flatMap(({ changes }) => changes.map(({ key }) => key))

it('ignores an end that was not written whole, at any byte', () => {
  const whole = Buffer.concat([encodeRecord({ generation: 1, changes: [change('a')] }), Buffer.from('{"applied":1}\n')])
  const next = encodeRecord({ generation: 2, changes: [change('b'), change('ü\n"')] })
  for (let length = 0; length < next.length; length++) {
    const { records, end, applied } = parseRecords(Buffer.concat([whole, next.subarray(0, length)]), 0)
    expect(records.map(({ generation }) => generation)).toEqual([1])
    expect([end, applied]).toEqual([whole.length, 1])
  }
  expect(parseRecords(Buffer.concat([whole, next]), 0).records).toHaveLength(2)
})

it('takes no record whose bytes have changed', () => {
  const bytes = encodeRecord({ generation: 1, changes: [change('a')] })
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const damaged = Buffer.from(bytes)
      damaged[at] = ((damaged[at] as number) + by) % 256
      const { records } = parseRecords(damaged, 0)
      if (records.length > 0) expect(records).toEqual([{ generation: 1, changes: [change('a')] }])
    }),
    { numRuns: 2000, seed: 3 },
  )
})

it('tells readers of every commit once, also when it was begun anew meanwhile', () => {
  const writer = Journal.begin(folder, 0)
  const reader = Journal.open(folder) as Journal
  expect(reader.hasNews()).toBe(false)
  writer.append({ changes: [change('a')] })
  expect(reader.hasNews()).toBe(true)
  expect(keys(reader.read())).toEqual(['a'])
  expect(reader.pending?.generation).toBe(1)
  writer.markApplied()
  expect(keys(reader.read())).toEqual([])
  expect(reader.pending).toBeUndefined()
  writer.append({ changes: [change('b')] })
  writer.markApplied()
  writer.restart()
  writer.append({ changes: [change('c')] })
  expect(keys(reader.read())).toEqual(['b', 'c'])
  expect(reader.generation).toBe(3)
  expect(reader.hasNews()).toBe(false)
  writer.markApplied()
  for (const key of ['d', 'e']) {
    writer.append({ changes: [change(key)] })
    writer.restart()
  }
  expect(reader.read()).toBe('lost')
  writer.close()
  reader.close()
})

it('refuses to commit over what somebody else has written', () => {
  const one = Journal.begin(folder, 0)
  const other = Journal.open(folder) as Journal
  other.append({ changes: [change('a')] })
  expect(() => one.append({ changes: [change('b')] })).toThrow(Fenced)
  one.read()
  one.append({ changes: [change('b')] })
  other.restart()
  expect(() => one.append({ changes: [change('c')] })).toThrow(Fenced)
  one.close()
  other.close()
})

it('repairs a torn end and refuses damage in the middle', async () => {
  const journal = join(root, JOURNAL)
  const open = () => Store.open(fsStorage({ root }), [docs])
  const first = await open()
  await first.put(docs, { id: 'a', n: 1 })
  appendFileSync(journal, '{"generation":99,"bytes":1000,"sha256":"x"}\n{"half')
  expect(await first.get(docs, 'a')).toEqual({ id: 'a', n: 1 })
  const second = await open()
  await second.put(docs, { id: 'b', n: 1 })
  expect(await first.get(docs, 'b')).toEqual({ id: 'b', n: 1 })
  await first.put(docs, { id: 'c', n: 1 })
  await first.put(docs, { id: 'd', n: 1 })
  const text = readFileSync(journal, 'utf8')
  writeFileSync(journal, text.replace('"key":"c"', '"key":"X"'))
  await expect(open()).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
  writeFileSync(journal, text)
  await Promise.all([first.close(), second.close()])
  truncateSync(journal, 3)
  await expect(open()).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
})

it('is cut back when it grows, and nothing is lost by it', async () => {
  const big = defineCollection({
    name: 'big',
    version: 1,
    schema: Type.Object({ id: Type.String(), text: Type.String() }),
    key: 'id',
  })
  const store = await Store.open(fsStorage({ root }), [big])
  const other = await Store.open(fsStorage({ root }), [big])
  for (let n = 0; n < 12; n++) {
    await store.put(big, { id: String(n % 8), text: `${n}`.repeat(500_000) })
    expect((await other.get(big, String(n % 8)))?.text.length).toBeGreaterThan(0)
  }
  expect(readFileSync(join(root, JOURNAL)).length).toBeLessThan(6_000_000)
  expect(await other.findRevised(big)).toEqual(await store.findRevised(big))
  await Promise.all([store.close(), other.close()])
})

it('restores from the journal what a power cut has undone, and nothing that was edited since', async () => {
  const store = await Store.open(fsStorage({ root }), [docs])
  await store.putMany(docs, [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
    { id: 'c', n: 1 },
    { id: 'd', n: 1 },
  ])
  await store.putMany(docs, [
    { id: 'a', n: 2 },
    { id: 'b', n: 2 },
    { id: 'c', n: 2 },
    { id: 'd', n: 2 },
  ])
  const journal = readFileSync(join(root, JOURNAL), 'utf8')
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((id) => [
      id,
      join(root, JSON.parse(journal.split('\n').find((line) => line.includes(`"key":"${id}"`)) as string).path),
    ]),
  )
  // Not closed: the process is gone, and so is what had not been flushed when the machine went down.
  writeFileSync(join(root, JOURNAL), journal.replace(/"boot":"[^"]*"/, '"boot":"another"'))
  writeFileSync(files.a as string, '')
  writeFileSync(files.b as string, '{\n  "id": "b",\n  "n": 1\n}\n')
  writeFileSync(files.c as string, '{"id":"c","n":77}')
  writeFileSync(files.d as string, Buffer.alloc(30))
  removeFolder(join(root, '.minions/locks'))
  const again = await Store.open(fsStorage({ root }), [docs])
  expect((await again.find(docs)).items).toEqual([
    { id: 'a', n: 2 },
    { id: 'b', n: 2 },
    { id: 'c', n: 77 },
    { id: 'd', n: 2 },
  ])
  expect(await again.problems()).toEqual([])
  await again.close()
})
