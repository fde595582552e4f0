import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Minions } from '@minions/core'
import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordPath } from '../src/files/names.js'
import { type FsStorageOptions, fsStorage } from '../src/index.js'
import { filesIn, removeFolder, temporaryFolder } from './folders.js'

const people = defineCollection({
  name: 'people',
  version: 1,
  schema: Type.Object({ id: Type.String(), name: Type.String(), email: Type.Optional(Type.String()) }),
  key: 'id',
  columns: { name: { type: 'string', indexed: true }, email: { type: 'string', unique: true } },
})

const pets = defineCollection({
  name: 'pets',
  version: 1,
  schema: Type.Object({ id: Type.String(), owner: Type.String() }),
  key: 'id',
  columns: { owner: 'string' },
  references: [{ columns: ['owner'], collection: 'people' }],
})

let folder: string
let opened: Store[]

beforeEach(() => {
  folder = temporaryFolder()
  opened = []
})

afterEach(async () => {
  for (const store of opened) await store.close()
  removeFolder(folder)
})

async function open(options: Partial<FsStorageOptions> = {}): Promise<Store> {
  const store = await Store.open(fsStorage({ root: folder, ...options }), [people, pets])
  opened.push(store)
  return store
}

const path = (id: string, collection = 'people') => join(folder, recordPath(collection, id, '.json'))
const write = (id: string, value: unknown, collection = 'people') => {
  mkdirSync(dirname(path(id, collection)), { recursive: true })
  writeFileSync(path(id, collection), typeof value === 'string' ? value : JSON.stringify(value))
}
const codes = async (store: Store) => (await store.problems()).map(({ code }) => code)
const names = async (store: Store) => (await store.find(people)).items.map(({ name }) => name)

describe.each(['watch', 'scan'] as const)('found by %s', (detect) => {
  it('picks up a file that was edited in place, right after it was written, with the same size', async () => {
    const store = await open({ detect })
    for (let round = 0; round < 20; round++) {
      await store.put(people, { id: 'a', name: 'ann' })
      const before = await store.getRevised(people, 'a')
      writeFileSync(path('a'), readFileSync(path('a'), 'utf8').replace('ann', 'bob'))
      const after = await store.getRevised(people, 'a')
      expect(after?.record).toEqual({ id: 'a', name: 'bob' })
      expect(after?.revision).not.toBe(before?.revision)
      expect((await store.find(people, { where: { name: 'bob' } })).items).toHaveLength(1)
      await expect(
        store.put(people, { id: 'a', name: 'x' }, { ifRevision: before?.revision as string }),
      ).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    expect(await store.problems()).toEqual([])
  })

  it('picks up files that were added, replaced and removed, also by the folder', async () => {
    const store = await open({ detect })
    await store.putMany(people, [
      { id: 'a', name: 'ann' },
      { id: 'b', name: 'bob' },
    ])
    write('c', { id: 'c', name: 'cid' })
    expect(await names(store)).toEqual(['ann', 'bob', 'cid'])
    writeFileSync(`${path('a')}.new`, JSON.stringify({ id: 'a', name: 'amy' }))
    renameSync(`${path('a')}.new`, path('a'))
    unlinkSync(path('b'))
    expect(await names(store)).toEqual(['amy', 'cid'])
    renameSync(join(folder, 'people'), join(folder, 'elsewhere'))
    expect(await store.count(people)).toBe(0)
    renameSync(join(folder, 'elsewhere'), join(folder, 'people'))
    expect(await names(store)).toEqual(['amy', 'cid'])
    rmSync(dirname(path('c')), { recursive: true })
    expect(await store.get(people, 'c')).toBeUndefined()
    write('c', { id: 'c', name: 'cleo' })
    expect(await store.get(people, 'c')).toEqual({ id: 'c', name: 'cleo' })
    write('c', { id: 'c', name: 'carl' })
    expect(await store.get(people, 'c')).toEqual({ id: 'c', name: 'carl' })
  })

  it('picks up what happens in and to a folder that a write has just made', async () => {
    const store = await open({ detect })
    await store.put(people, { id: 'first', name: 'makes the folder of the collection' })
    await store.count(people)
    for (const id of ['a', 'b', 'c', 'd']) {
      await store.put(people, { id, name: 'ann' })
      writeFileSync(path(id), JSON.stringify({ id, name: 'bob' }))
      expect(await store.get(people, id)).toEqual({ id, name: 'bob' })
      writeFileSync(join(dirname(path(id)), `new${id}.json`), JSON.stringify({ id: `new${id}`, name: 'new' }))
      expect(await store.get(people, `new${id}`)).toEqual({ id: `new${id}`, name: 'new' })
      rmSync(dirname(path(id)), { recursive: true })
      expect(await store.get(people, id)).toBeUndefined()
      await store.put(people, { id, name: 'again' })
      unlinkSync(path(id))
      expect(await store.get(people, id)).toBeUndefined()
      await store.put(people, { id, name: 'kept' })
    }
    expect(await names(store)).toEqual(['kept', 'kept', 'kept', 'kept', 'makes the folder of the collection'])
    expect(await store.problems()).toEqual([])
  })

  it('takes in an edit before a transaction, so that nothing is overwritten', async () => {
    const store = await open({ detect })
    await store.put(people, { id: 'a', name: 'ann' })
    write('a', { id: 'a', name: 'ann', email: 'a@x' })
    await store.transaction(async (tx) => {
      const person = await tx.get(people, 'a')
      await tx.put(people, { ...person, id: 'a', name: 'anna' })
    })
    expect(JSON.parse(readFileSync(path('a'), 'utf8'))).toEqual({ id: 'a', name: 'anna', email: 'a@x' })
  })

  it('runs a transaction again when a file it writes was edited meanwhile', async () => {
    const store = await open({ detect })
    await store.put(people, { id: 'a', name: 'ann' })
    let runs = 0
    await store.transaction(async (tx) => {
      runs += 1
      const person = await tx.get(people, 'a')
      if (runs === 1) write('a', { id: 'a', name: 'ann', email: 'late@x' })
      await tx.put(people, { ...person, id: 'a', name: 'anna' })
    })
    expect(runs).toBe(2)
    expect(await store.get(people, 'a')).toEqual({ id: 'a', name: 'anna', email: 'late@x' })
  })
})

it('sees edits made while nobody had the store open, and keeps the revisions of all other records', async () => {
  const store = await open()
  await store.putMany(people, [
    { id: 'a', name: 'ann' },
    { id: 'b', name: 'bob' },
    { id: 'c', name: 'cid' },
  ])
  const before = await store.getMany(people, ['a', 'b', 'c'])
  await store.close()
  write('b', { id: 'b', name: 'ben' })
  unlinkSync(path('c'))
  write('d', { id: 'd', name: 'dan' })
  const again = await open()
  const after = await again.getMany(people, ['a', 'b', 'c', 'd'])
  expect(after.map((found) => found?.record.name)).toEqual(['ann', 'ben', undefined, 'dan'])
  expect(after[0]?.revision).toBe(before[0]?.revision)
  expect(after[1]?.revision).not.toBe(before[1]?.revision)
  const third = await open()
  expect(await third.getMany(people, ['a', 'b', 'd'])).toEqual([after[0], after[1], after[3]])
})

it('sets a broken file aside, leaves it alone, hides no other, and uses it again once it is put right', async () => {
  const store = await open()
  await store.putMany(people, [
    { id: 'a', name: 'ann' },
    { id: 'b', name: 'bob' },
  ])
  await store.put(pets, { id: 'p', owner: 'a' })
  const broken: [string | object, string][] = [
    ['{ "id": "a", ', 'STORAGE_CORRUPT'],
    ['', 'STORAGE_CORRUPT'],
    ['<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> branch\n', 'STORAGE_CORRUPT'],
    [{ id: 'a' }, 'VALIDATION_FAILED'],
    [[], 'VALIDATION_FAILED'],
    ['null', 'VALIDATION_FAILED'],
    [{ id: '', name: 'x' }, 'VALIDATION_FAILED'],
    ['{"id":"a","name":"\\u0000"}', 'VALIDATION_FAILED'],
  ]
  for (const [content, code] of broken) {
    write('a', content)
    const text = readFileSync(path('a'), 'utf8')
    expect(await names(store), text).toEqual(['bob'])
    expect(await store.get(people, 'a')).toBeUndefined()
    expect(await store.problems()).toEqual([
      { code, message: expect.stringContaining('people/'), details: expect.objectContaining({ collection: 'people' }) },
    ])
    const elsewhere = await open()
    expect(await names(elsewhere)).toEqual(['bob'])
    expect(await codes(elsewhere)).toEqual([code])
    expect(readFileSync(path('a'), 'utf8')).toBe(text)
    write('a', { id: 'a', name: 'ann' })
    expect(await names(store)).toEqual(['ann', 'bob'])
    expect(await names(elsewhere)).toEqual(['ann', 'bob'])
    expect(await store.problems()).toEqual([])
    expect(await elsewhere.problems()).toEqual([])
  }
  expect(await store.get(pets, 'p')).toEqual({ id: 'p', owner: 'a' })
})

it('reads past bytes that are no text', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  writeFileSync(path('a'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
  expect(await store.count(people)).toBe(0)
  expect(await codes(store)).toEqual(['STORAGE_CORRUPT'])
  writeFileSync(path('a'), `\ufeff${JSON.stringify({ id: 'a', name: 'with a byte order mark' })}\r\n`)
  expect(await names(store)).toEqual(['with a byte order mark'])
})

it('never lets two records have a unique value, whichever file is edited, and swaps values in one go', async () => {
  const store = await open()
  await store.putMany(people, [
    { id: 'a', name: 'ann', email: '1' },
    { id: 'b', name: 'bob', email: '2' },
  ])
  write('b', { id: 'b', name: 'bob', email: '1' })
  expect(await names(store)).toEqual(['ann'])
  expect(await codes(store)).toEqual(['UNIQUE_VIOLATION'])
  await store.put(people, { id: 'a', name: 'ann', email: '3' })
  expect(await names(store)).toEqual(['ann', 'bob'])
  expect(await store.problems()).toEqual([])
  write('a', { id: 'a', name: 'ann', email: '1' })
  write('b', { id: 'b', name: 'bob', email: '3' })
  expect((await store.find(people)).items.map(({ email }) => email)).toEqual(['1', '3'])
  expect(await store.problems()).toEqual([])
})

it('sets aside what refers to a record that was removed, until it is back', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  await store.put(pets, { id: 'p', owner: 'a' })
  const text = readFileSync(path('a'), 'utf8')
  unlinkSync(path('a'))
  expect(await store.count(pets)).toBe(0)
  expect(await store.problems()).toEqual([
    {
      code: 'REFERENCE_VIOLATION',
      message: expect.stringContaining('"a" of "people"'),
      details: expect.objectContaining({ collection: 'pets', key: 'p' }),
    },
  ])
  write('q', { id: 'q', owner: 'nobody' }, 'pets')
  expect(await codes(store)).toEqual(['REFERENCE_VIOLATION', 'REFERENCE_VIOLATION'])
  writeFileSync(path('a'), text)
  expect((await store.find(pets)).items).toEqual([{ id: 'p', owner: 'a' }])
  await store.put(people, { id: 'nobody', name: 'now somebody' })
  expect(await store.count(pets)).toBe(2)
  expect(await store.problems()).toEqual([])
})

it('refuses the reference to a broken record, and finds what still refers to it when it goes', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  await store.put(pets, { id: 'p', owner: 'a' })
  write('a', 'broken')
  expect(await store.count(pets)).toBe(1)
  await expect(store.put(pets, { id: 'q', owner: 'a' })).rejects.toMatchObject({ code: 'REFERENCE_VIOLATION' })
  unlinkSync(path('a'))
  expect(await store.count(pets)).toBe(0)
  expect(await codes(store)).toEqual(['REFERENCE_VIOLATION'])
})

it('uses a file wherever it stands in the folder of its collection, and the one in its place first', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  writeFileSync(join(folder, 'people', 'Somebody new.json'), JSON.stringify({ id: 'b', name: 'bob' }))
  mkdirSync(join(folder, 'people', 'by', 'hand'), { recursive: true })
  writeFileSync(join(folder, 'people', 'by', 'hand', 'x.json'), JSON.stringify({ id: 'a', name: 'a copy' }))
  expect(await names(store)).toEqual(['ann', 'bob'])
  expect(await codes(store)).toEqual(['UNIQUE_VIOLATION'])
  await store.put(people, { id: 'b', name: 'ben' })
  expect(JSON.parse(readFileSync(join(folder, 'people', 'Somebody new.json'), 'utf8')).name).toBe('ben')
  unlinkSync(path('a'))
  expect(await names(store)).toEqual(['a copy', 'ben'])
  expect(await store.problems()).toEqual([])
})

it('keeps a record apart from one whose key somebody changed by hand', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  write('a', { id: 'b', name: 'renamed' })
  expect(await store.get(people, 'b')).toEqual({ id: 'b', name: 'renamed' })
  await store.put(people, { id: 'a', name: 'a new ann' })
  const again = await open()
  for (const each of [store, again]) expect(await names(each)).toEqual(['a new ann', 'renamed'])
  expect(await again.problems()).toEqual([])
})

it('moves a broken file out of the way when its record is written, and never deletes it', async () => {
  const store = await open()
  write('a', 'precious, but not JSON')
  expect(await codes(store)).toEqual(['STORAGE_CORRUPT'])
  await store.put(people, { id: 'a', name: 'ann' })
  expect(await store.get(people, 'a')).toEqual({ id: 'a', name: 'ann' })
  const [problem] = await store.problems()
  const kept = join(folder, String(problem?.details?.path))
  expect(readFileSync(kept, 'utf8')).toBe('precious, but not JSON')
  unlinkSync(kept)
  expect(await store.problems()).toEqual([])
})

it('keeps a record in its file that goes and comes back in one commit', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  const files = filesIn(folder)
  await Promise.all([
    store.delete(people, 'a'),
    store.put(people, { id: 'a', name: 'again' }),
    store.delete(people, 'a'),
    store.put(people, { id: 'a', name: 'at last' }),
  ])
  expect(filesIn(folder)).toEqual(files)
  expect(readFileSync(path('a'), 'utf8')).toContain('at last')
})

it('moves a broken file out of the way once, however often its record is written in one commit', async () => {
  const store = await open()
  write('a', 'precious, but not JSON')
  expect(await codes(store)).toEqual(['STORAGE_CORRUPT'])
  await Promise.all([
    store.put(people, { id: 'a', name: 'first' }),
    store.delete(people, 'a'),
    store.put(people, { id: 'a', name: 'last' }),
    store.put(people, { id: 'b', name: 'other' }),
  ])
  expect(await names(store)).toEqual(['last', 'other'])
  const [problem, ...more] = await store.problems()
  expect(more).toEqual([])
  expect(readFileSync(join(folder, String(problem?.details?.path)), 'utf8')).toBe('precious, but not JSON')
})

it('follows no link and reports it', async () => {
  const outside = temporaryFolder()
  try {
    const secret = join(outside, 'secret.json')
    writeFileSync(secret, JSON.stringify({ id: 'z', name: 'outside' }))
    const store = await open()
    mkdirSync(join(folder, 'people', 'aa'), { recursive: true })
    symlinkSync(secret, join(folder, 'people', 'aa', 'z.json'))
    symlinkSync(outside, join(folder, 'people', 'bb'))
    expect(await store.count(people)).toBe(0)
    expect(await codes(store)).toEqual(['STORAGE_UNAVAILABLE', 'STORAGE_UNAVAILABLE'])
    await store.close()
    symlinkSync(outside, join(folder, 'pets'))
    const again = await open()
    await again.put(people, { id: 'a', name: 'ann' })
    await expect(again.put(pets, { id: 'p', owner: 'a' })).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(filesIn(outside)).toEqual(['secret.json'])
    expect(await again.count(pets)).toBe(0)
  } finally {
    removeFolder(outside)
  }
})

it('ignores files that are not records', async () => {
  const store = await open()
  await store.put(people, { id: 'a', name: 'ann' })
  for (const name of ['notes.txt', '.a.json.swp', 'a.json~', 'a.json.orig', '.DS_Store']) {
    writeFileSync(join(dirname(path('a')), name), 'x')
  }
  expect(await names(store)).toEqual(['ann'])
  expect(await store.problems()).toEqual([])
  writeFileSync(join(dirname(path('a')), 'b.yaml'), 'id: b\nname: bob\n')
  expect(await names(store)).toEqual(['ann'])
  expect(await codes(store)).toEqual(['VALIDATION_FAILED'])
})

it('keeps comments in a YAML file that somebody wrote, and finds what was edited', async () => {
  const minions = await Minions.open({ storage: fsStorage({ root: folder, format: 'yaml' }) })
  const note = await minions.create('note', { title: 'Groceries', fields: { content: 'milk\n  two litres\n' } })
  const file = join(folder, recordPath('minions', note.id, '.yaml'))
  const edited = `# edited by hand\n${readFileSync(file, 'utf8').replace('Groceries', 'Shopping')}`
  writeFileSync(file, edited)
  expect((await minions.get(note.id))?.title).toBe('Shopping')
  expect((await minions.search('shopp')).items.map(({ id }) => id)).toEqual([note.id])
  expect((await minions.search('groceries')).items).toEqual([])
  expect(readFileSync(file, 'utf8')).toBe(edited)
  await minions.close()
  const again = await Minions.open({ storage: fsStorage({ root: folder }) })
  expect((await again.search('shopp litres')).items[0]?.fields).toEqual({ content: 'milk\n  two litres\n' })
  expect(await again.problems()).toEqual([])
  await again.close()
})
