import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Minions } from '@minions/core'
import { defineCollection, StorageSchemes, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fsStorage, storageFromUrl } from '../src/index.js'
import { filesIn, removeFolder, temporaryFolder } from './folders.js'

const docs = defineCollection({
  name: 'docs',
  version: 1,
  schema: Type.Unsafe<Record<string, unknown>>(Type.Object({})),
  key: 'id',
})
const shelf = defineCollection({
  ...docs.declaration,
  name: 'con',
  schema: Type.Unsafe<Record<string, unknown>>(Type.Object({})),
  key: ['a', 'b'],
  columns: {},
  createdAt: undefined as never,
  text: undefined as never,
})

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => removeFolder(folder))

it('touches nothing before it is opened', () => {
  fsStorage({ root: join(folder, 'store') })
  expect(readdirSync(folder)).toEqual([])
})

it('writes one readable document a record, with keys in order, and explains itself', async () => {
  const root = join(folder, 'deep', 'er')
  const store = await Store.open(fsStorage({ root }), [docs])
  await store.put(docs, { title: 'x', id: 'one', nested: { b: [1, { d: 1, c: 2 }], a: null } })
  const [readme, file] = filesIn(root).sort()
  expect(readme).toBe('README.md')
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('<collection>/<two letters>/<id>.json')
  expect(file).toMatch(/^docs\/[0-9a-f]{2}\/one\.json$/)
  expect(readFileSync(join(root, file as string), 'utf8')).toBe(
    '{\n  "id": "one",\n  "nested": {\n    "a": null,\n    "b": [\n      1,\n      {\n        "c": 2,\n        "d": 1\n      }\n    ]\n  },\n  "title": "x"\n}\n',
  )
  writeFileSync(join(root, 'README.md'), 'mine')
  await store.close()
  await (await Store.open(fsStorage({ root }), [docs])).close()
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('mine')
})

it('keeps hostile keys inside the root and apart', async () => {
  const root = join(folder, 'store')
  const store = await Store.open(fsStorage({ root }), [docs, shelf])
  const keys = [
    '.',
    '..',
    'a/../../b',
    '/etc/passwd',
    '../../../x',
    'ü'.repeat(128),
    'Case',
    'case',
    'CASE',
    'con',
    'nul.json',
    'x'.repeat(1024),
    `${'x'.repeat(1023)}y`,
    '.minions',
    'README.md',
    'a\\b',
    'C:\\x',
    '%2e',
    '~',
    ' ',
    '\n',
  ]
  await store.putMany(
    docs,
    keys.map((id) => ({ id })),
  )
  await store.put(shelf, { a: '..', b: '../..' })
  await store.close()
  expect(readdirSync(folder)).toEqual(['store'])
  expect(readdirSync(root).sort()).toEqual(['%63on', '.minions', 'README.md', 'docs'])
  expect(filesIn(root)).toHaveLength(keys.length + 2)
  const again = await Store.open(fsStorage({ root }), [docs, shelf])
  for (const id of keys) expect(await again.get(docs, id)).toEqual({ id })
  expect(await again.get(shelf, ['..', '../..'])).toEqual({ a: '..', b: '../..' })
  expect(await again.problems()).toEqual([])
  await again.deleteMany(docs, keys)
  await again.close()
  expect(filesIn(root).filter((file) => file.startsWith('docs'))).toEqual([])
})

it('keeps the format a store was made with', async () => {
  const yaml = await Store.open(fsStorage({ root: folder, format: 'yaml' }), [docs])
  await yaml.put(docs, { id: 'a', text: 'two\nlines\n', number: '1' })
  await yaml.close()
  expect(readFileSync(join(folder, filesIn(folder).find((file) => file.endsWith('a.yaml')) as string), 'utf8')).toBe(
    'id: a\nnumber: "1"\ntext: |\n  two\n  lines\n',
  )
  await expect(Store.open(fsStorage({ root: folder, format: 'json' }), [docs])).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  const same = await Store.open(fsStorage({ root: folder }), [docs])
  expect(await same.get(docs, 'a')).toEqual({ id: 'a', text: 'two\nlines\n', number: '1' })
  await same.close()
})

it('is made from a URL', async () => {
  const schemes = new StorageSchemes()
  schemes.register('fs', storageFromUrl)
  for (const [url, extension] of [
    [`fs:${folder}/a`, '.json'],
    [`fs://${folder}/b%20c?format=yaml`, '.yaml'],
  ] as const) {
    const store = await Store.open(await schemes.resolve(url), [docs])
    await store.put(docs, { id: 'x' })
    await store.close()
    expect(filesIn(folder).filter((file) => file.endsWith(`x${extension}`))).toHaveLength(1)
  }
  expect(readdirSync(folder).sort()).toEqual(['a', 'b c'])
  expect(() => storageFromUrl('fs:./x?format=toml')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  expect(() => storageFromUrl('fs:./100%')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  expect(() => storageFromUrl('fs://./x')).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining('"fs:./x"') }),
  )
})

it.each([
  undefined,
  null,
  {},
  { root: '' },
  { root: 5 },
  { root: 'x', format: 'toml' },
  { root: 'x', detect: 'guess' },
  { root: 'x', busyTimeout: Number.NaN },
  { root: 'x', busyTimeout: -1 },
  { root: 'x', busyTimeout: '5' },
])('refuses options that cannot be used: %o', (options) => {
  expect(() => fsStorage(options as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
})

it('refuses state folders that lead out of the root, and damaged state', async () => {
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  mkdirSync(join(folder, 'linked'))
  symlinkSync(outside, join(folder, 'linked', '.minions'))
  await expect(Store.open(fsStorage({ root: join(folder, 'linked') }), [docs])).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
  })
  expect(readdirSync(outside)).toEqual([])
  const root = join(folder, 'store')
  const store = await Store.open(fsStorage({ root }), [docs])
  await store.putMany(docs, [{ id: 'a' }, { id: 'b' }])
  await store.close()
  const catalogue = join(root, '.minions/catalogue.json')
  const text = readFileSync(catalogue, 'utf8')
  const refused = (code: string) => expect(Store.open(fsStorage({ root }), [docs])).rejects.toMatchObject({ code })
  writeFileSync(catalogue, `<<<<<<< HEAD\n${text}`)
  await refused('STORAGE_CORRUPT')
  writeFileSync(catalogue, text.replace('"layout": 1', '"layout": 2'))
  await refused('STORAGE_VERSION')
  writeFileSync(catalogue, text)
  writeFileSync(join(root, '.minions/journal'), 'nonsense')
  await refused('STORAGE_CORRUPT')
  rmSync(join(root, '.minions'), { recursive: true })
  const again = await Store.open(fsStorage({ root }), [docs])
  expect(await again.count(docs)).toBe(2)
  await again.close()
})

it('goes on when somebody cleans up its state, and when the root is a link', async () => {
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  const store = await Minions.open({ storage: fsStorage({ root: join(folder, 'link') }) })
  const note = await store.create('note', { title: 'a', fields: { content: 'b' } })
  rmSync(join(folder, 'real/.minions'), { recursive: true })
  expect((await store.get(note.id))?.title).toBe('a')
  await store.update(note.id, { title: 'c' })
  await store.close()
  const again = await Minions.open({ storage: fsStorage({ root: join(folder, 'real') }) })
  expect((await again.get(note.id))?.title).toBe('c')
  expect(await again.problems()).toEqual([])
  await again.close()
})

it.each([
  ['minions-sdk', 'a1/b2/a1b2c3d4-1111-4222-8333-444455556666.yaml', 'id: a1b2c3d4-1111-4222-8333-444455556666'],
  ['minions-sdk', 'a1/b2/a1b2.json', '{}'],
  ['minions-sdk', 'note.json', '{"id":"n","minionTypeId":"builtin-note"}'],
  ['minions-sdk', 'note.yaml', 'id: n\nminionTypeId: builtin-note\n'],
  ['minions-prompts', 'db.json', '{"minions":{},"relations":[]}'],
  ['minions-prompts', '.prompts-data/db.json', '{}'],
  ['miminions', 'workspaces.json', '{}'],
])('refuses a folder of %s and offers to import it: %s', async (format, path, content) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  const before = filesIn(folder)
  await expect(Store.open(fsStorage({ root: folder }), [docs])).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringContaining(`minions import --from ${format} ${folder}`),
    details: { root: folder, format },
  })
  expect(filesIn(folder)).toEqual(before)
})

it('opens a folder with other files in it, and a store whatever was put beside it', async () => {
  mkdirSync(join(folder, 'ab', 'cd'), { recursive: true })
  writeFileSync(join(folder, 'ab', 'cd', 'other.json'), '{}')
  writeFileSync(join(folder, 'db.json'), '[]')
  const store = await Store.open(fsStorage({ root: folder }), [docs])
  await store.close()
  writeFileSync(join(folder, 'workspaces.json'), '{}')
  const again = await Store.open(fsStorage({ root: folder }), [docs])
  await again.close()
})
