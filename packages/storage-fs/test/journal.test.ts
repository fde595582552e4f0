import {
  appendFileSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { defineCollection, Store } from '@minions/core/storage'
import fc from 'fast-check'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Folder } from '../src/files/folder.js'
import { fsStorage } from '../src/index.js'
import { Fenced, JOURNAL, Journal } from '../src/journal/journal.js'
import { encodeRecords, hasLaterRecord, parseRecords } from '../src/journal/record.js'
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
  const whole = Buffer.concat([
    encodeRecords([{ generation: 1, changes: [change('a')] }]),
    Buffer.from('{"applied":1}\n'),
  ])
  const next = encodeRecords([{ generation: 2, changes: [change('b'), change('ü\n"')] }])
  for (let length = 0; length < next.length; length++) {
    const { records, end, applied } = parseRecords(Buffer.concat([whole, next.subarray(0, length)]), 0)
    expect(records.map(({ generation }) => generation)).toEqual([1])
    expect([end, applied]).toEqual([whole.length, 1])
  }
  expect(parseRecords(Buffer.concat([whole, next]), 0).records).toHaveLength(2)
})

it('takes no record whose bytes have changed', () => {
  const bytes = encodeRecords([{ generation: 1, changes: [change('a')] }])
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

it('reads a commit although the note before it is lost, but none behind a lost commit', () => {
  const first = encodeRecords([{ generation: 1, changes: [change('a')] }])
  const second = encodeRecords([{ generation: 2, changes: [change('b')] }])
  const third = encodeRecords([{ generation: 3, changes: [change('c')] }])
  // A note lies across two blocks of the disk, and only the second was written.
  const note = Buffer.concat([Buffer.alloc(8), Buffer.from('d":1}\n')])
  const bytes = Buffer.concat([first, note, second, Buffer.alloc(100)])
  const { records, end } = parseRecords(bytes, 0)
  expect(records.map(({ generation }) => generation)).toEqual([1, 2])
  expect(end).toBe(bytes.length - 100)
  for (const line of ['{}', '7', 'null']) {
    const replaced = Buffer.concat([first, Buffer.from(`${line}\n`), second])
    expect(parseRecords(replaced, 0).records.map(({ generation }) => generation)).toEqual([1, 2])
  }
  const torn = Buffer.concat([first, note, second.fill(0, 20, 60), third])
  expect(parseRecords(torn, 0)).toMatchObject({ records: [{ generation: 1 }], end: first.length })
})

it('is not made longer by every commit, and readers still hear of each', () => {
  const writer = Journal.begin(folder, 0)
  const reader = Journal.open(folder) as Journal
  const sizes = new Set<number>()
  for (let n = 0; n < 20; n++) {
    writer.append([{ changes: [change(`k${n}`)] }])
    expect(reader.hasNews()).toBe(true)
    expect(keys(reader.read())).toEqual([`k${n}`])
    expect(reader.hasNews()).toBe(false)
    expect(writer.hasNews()).toBe(false)
    writer.markApplied()
    expect(reader.hasNews()).toBe(true)
    expect(keys(reader.read())).toEqual([])
    expect(reader.pending).toEqual([])
    sizes.add(statSync(join(root, JOURNAL)).size)
  }
  expect(sizes.size).toBe(1)
  const [size] = sizes
  writer.append([{ changes: [{ ...change('long'), record: { id: 'x'.repeat(size as number) } }] }])
  expect(keys(reader.read())).toEqual(['long'])
  writer.close()
  reader.close()
})

/** The journal up to the end of its last commit, without the zeros reserved after it. */
function withoutReserve(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.indexOf(0))
}

it('continues a journal without reserved zeros, also when another process removes them', async () => {
  const journal = join(root, JOURNAL)
  const cut = () => writeFileSync(journal, withoutReserve(readFileSync(journal)))
  const open = () => Store.open(fsStorage({ root }), [docs])
  const first = await open()
  await first.put(docs, { id: 'a', n: 1 })
  cut()
  const second = await open()
  expect(await second.get(docs, 'a')).toEqual({ id: 'a', n: 1 })
  await second.put(docs, { id: 'b', n: 1 })
  expect(await first.get(docs, 'b')).toEqual({ id: 'b', n: 1 })
  cut()
  await first.put(docs, { id: 'c', n: 1 })
  expect(await second.get(docs, 'c')).toEqual({ id: 'c', n: 1 })
  expect(readFileSync(journal).at(-1)).toBe(0)
  await Promise.all([first.close(), second.close()])
  expect(readFileSync(journal).includes(0)).toBe(false)
})

it.each([
  ['its beginning', (record: Buffer) => record.subarray(0, 300)],
  ['its end', (record: Buffer) => Buffer.concat([Buffer.alloc(300), record.subarray(300)])],
  ['all but the middle', (record: Buffer) => Buffer.from(record).fill(0, 150, 400)],
])('drops a commit of which only %s was written over the reserved zeros', async (_, tear) => {
  const journal = join(root, JOURNAL)
  const open = () => Store.open(fsStorage({ root }), [docs])
  const first = await open()
  await first.put(docs, { id: 'a', n: 1 })
  const bytes = readFileSync(journal)
  const { length } = withoutReserve(bytes)
  const generation = Number(/"applied":(\d+)}\n$/.exec(bytes.toString('utf8', 0, length))?.[1]) + 1
  const record = { ...change('lost'), collection: 'docs', record: { id: 'lost', n: 1, text: 'x'.repeat(400) } }
  tear(encodeRecords([{ generation, changes: [record] }])).copy(bytes, length)
  writeFileSync(journal, bytes)
  const second = await open()
  expect(readFileSync(journal).includes('xxx')).toBe(false)
  expect((await second.find(docs)).items).toEqual([{ id: 'a', n: 1 }])
  await second.put(docs, { id: 'b', n: 1 })
  await first.put(docs, { id: 'c', n: 1 })
  // Not closed: what is read next is the journal.
  const third = await open()
  expect((await third.find(docs)).items.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(await third.problems()).toEqual([])
  await Promise.all([first.close(), second.close(), third.close()])
})

it('says so when a commit that was read is taken back, even if another has taken its place', () => {
  const writer = Journal.begin(folder, 0)
  const before = readFileSync(join(root, JOURNAL))
  writer.append([{ changes: [change('a'.repeat(500))] }])
  const reader = Journal.open(folder) as Journal
  reader.read()
  writeFileSync(
    join(root, JOURNAL),
    Buffer.concat([before, encodeRecords([{ generation: 1, changes: [change('b')] }])]),
  )
  appendFileSync(join(root, JOURNAL), Buffer.alloc(4096))
  expect(reader.hasNews()).toBe(true)
  expect(() => reader.append([{ changes: [change('c')] }])).toThrow(Fenced)
  expect(reader.read()).toBe('lost')
  writer.close()
  reader.close()
})

it('tells readers of every commit once, also when it was begun anew meanwhile', () => {
  const writer = Journal.begin(folder, 0)
  const reader = Journal.open(folder) as Journal
  expect(reader.hasNews()).toBe(false)
  writer.append([{ changes: [change('a')] }])
  expect(reader.hasNews()).toBe(true)
  expect(keys(reader.read())).toEqual(['a'])
  expect(reader.pending).toMatchObject([{ generation: 1 }])
  writer.markApplied()
  expect(keys(reader.read())).toEqual([])
  expect(reader.pending).toEqual([])
  writer.append([{ changes: [change('b')] }])
  writer.markApplied()
  writer.restart()
  writer.append([{ changes: [change('c')] }])
  expect(keys(reader.read())).toEqual(['b', 'c'])
  expect(reader.generation).toBe(3)
  expect(reader.hasNews()).toBe(false)
  writer.markApplied()
  for (const key of ['d', 'e']) {
    writer.append([{ changes: [change(key)] }])
    writer.restart()
  }
  expect(reader.read()).toBe('lost')
  writer.close()
  reader.close()
})

it('refuses to commit over what somebody else has written', () => {
  const one = Journal.begin(folder, 0)
  const other = Journal.open(folder) as Journal
  other.append([{ changes: [change('a')] }])
  expect(() => one.append([{ changes: [change('b')] }])).toThrow(Fenced)
  one.read()
  one.append([{ changes: [change('b')] }])
  other.restart()
  expect(() => one.append([{ changes: [change('c')] }])).toThrow(Fenced)
  one.close()
  other.close()
})

it('refuses to commit where the journal was removed', () => {
  const journal = Journal.begin(folder, 0)
  unlinkSync(join(root, JOURNAL))
  expect(journal.hasNews()).toBe(true)
  expect(() => journal.append([{ changes: [change('a')] }])).toThrow(Fenced)
  expect(journal.read()).toBe('lost')
  journal.close()
})

it.each(['{"journal":2,"base":0}', '{"journal":1,"base":0.5}', '{"journal":1}', '{}', ''])(
  'refuses a journal that begins with %j',
  (header) => {
    writeFileSync(join(root, JOURNAL), `${header}\n`)
    expect(() => Journal.open(folder)).toThrow(expect.objectContaining({ code: 'STORAGE_CORRUPT' }))
  },
)

it('knows whether the machine was started again since it was begun, where the system says so', () => {
  const journal = join(root, JOURNAL)
  const isFromEarlierBoot = () => {
    const opened = Journal.open(folder) as Journal
    opened.close()
    return opened.isFromEarlierBoot
  }
  Journal.begin(folder, 0).close()
  expect(isFromEarlierBoot()).toBe(false)
  const header = readFileSync(journal, 'utf8')
  writeFileSync(journal, header.replace(/"boot":[^}]*/, '"boot":"another"'))
  expect(isFromEarlierBoot()).toBe(true)
  writeFileSync(journal, header.replace(/"boot":[^}]*/, '"boot":null'))
  expect(isFromEarlierBoot()).toBe(false)
})

it('finds a whole commit behind damage, past the beginnings of others', () => {
  const torn = encodeRecords([{ generation: 2, changes: [change('b')] }]).subarray(0, 100)
  const whole = encodeRecords([{ generation: 3, changes: [change('c')] }])
  const newline = Buffer.from('\n')
  expect(hasLaterRecord(Buffer.concat([newline, torn, newline, torn, newline]))).toBe(false)
  expect(hasLaterRecord(Buffer.concat([newline, torn, newline, torn, newline, whole]))).toBe(true)
  expect(hasLaterRecord(Buffer.concat([newline, whole]))).toBe(true)
  expect(hasLaterRecord(Buffer.from('\n{"applied":3}\n'))).toBe(false)
})

it('keeps its reserved zeros when there is nothing to repair', () => {
  const writer = Journal.begin(folder, 0)
  writer.append([{ changes: [change('a')] }])
  const { size } = statSync(join(root, JOURNAL))
  const reader = Journal.open(folder) as Journal
  expect(keys(reader.read())).toEqual(['a'])
  for (const journal of [reader, writer]) journal.repair()
  expect(statSync(join(root, JOURNAL)).size).toBe(size)
  reader.close()
  writer.close()
})

it.skipIf(process.platform !== 'linux')(
  'keeps no file open behind one that is closed or was begun anew',
  { meta: { needs: '/proc: Linux' } },
  () => {
    const isOurs = (descriptor: string) => {
      try {
        return readlinkSync(join('/proc/self/fd', descriptor)).startsWith(root)
      } catch {
        // It was the one by which the folder was read.
        return false
      }
    }
    const open = () => readdirSync('/proc/self/fd').filter(isOurs).length
    const writer = Journal.begin(folder, 0)
    const reader = Journal.open(folder) as Journal
    expect(open()).toBe(2)
    writer.append([{ changes: [change('a')] }])
    writer.markApplied()
    writer.restart()
    expect(keys(reader.read())).toEqual(['a'])
    expect(open()).toBe(2)
    for (const key of ['b', 'c']) {
      writer.append([{ changes: [change(key)] }])
      writer.restart()
    }
    expect(reader.read()).toBe('lost')
    expect(open()).toBe(2)
    reader.close()
    writer.close()
    expect(open()).toBe(0)
    truncateSync(join(root, JOURNAL), 3)
    expect(() => Journal.open(folder)).toThrow(expect.objectContaining({ code: 'STORAGE_CORRUPT' }))
    expect(open()).toBe(0)
  },
)

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

it('grows for several commits at once, however many records share one', () => {
  const journal = Journal.begin(folder, 0)
  const sizes = new Set<number>()
  for (let commit = 0; commit < 24; commit++) {
    journal.append(Array.from({ length: 300 }, (_, index) => ({ changes: [change(`${commit}-${index}`)] })))
    sizes.add(statSync(join(root, JOURNAL)).size)
  }
  expect(journal.length).toBeGreaterThan(1_000_000)
  expect(sizes.size).toBeLessThanOrEqual(24 / 8)
  const reader = Journal.open(folder) as Journal
  expect(keys(reader.read())).toHaveLength(24 * 300)
  for (const each of [journal, reader]) each.close()
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
