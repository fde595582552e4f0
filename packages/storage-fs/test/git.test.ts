import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordPath } from '../src/files/names.js'
import { fsStorage } from '../src/index.js'
import { removeFolder, temporaryFolder } from './folders.js'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => removeFolder(folder))

const git = (root: string, ...values: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...values],
    { cwd: root, encoding: 'utf8', stdio: 'pipe' },
  )

const titles = async (minions: Minions) => (await minions.find({ limit: 100 })).items.map(({ title }) => title).sort()

it('can be kept in git: branches, merges, a conflict, a clone', async () => {
  const root = join(folder, 'repository')
  const minions = await Minions.open({ storage: fsStorage({ root }) })
  const one = await minions.create('note', { title: 'one', fields: { content: 'x' } })
  const two = await minions.create('note', { title: 'two', fields: { content: 'y' } })
  git(root, 'init')
  git(root, 'add', '-A')
  git(root, 'commit', '-m', 'first')
  expect(git(root, 'ls-files', '.minions').trim().split('\n')).toEqual([
    '.minions/.gitignore',
    '.minions/catalogue.json',
  ])

  git(root, 'checkout', '-b', 'branch')
  const three = await minions.create('note', { title: 'three', fields: { content: 'z' } })
  await minions.link({ sourceId: three.id, targetId: two.id, type: 'references' })
  git(root, 'add', '-A')
  expect(git(root, 'diff', '--cached', '--name-only').trim().split('\n')).toHaveLength(2)
  git(root, 'commit', '-m', 'three')

  git(root, 'checkout', 'main')
  expect(await titles(minions)).toEqual(['one', 'two'])
  await minions.update(one.id, { title: 'one on main' })
  git(root, 'commit', '-am', 'one')
  git(root, 'merge', 'branch')
  expect(await titles(minions)).toEqual(['one on main', 'three', 'two'])
  expect(await minions.relations(three.id)).toHaveLength(1)
  expect(await minions.problems()).toEqual([])

  git(root, 'checkout', '-b', 'removing', 'main')
  await minions.hardDelete(two.id)
  git(root, 'add', '-A')
  git(root, 'commit', '-m', 'without two')
  git(root, 'checkout', 'main')
  await minions.link({ sourceId: one.id, targetId: two.id, type: 'relates_to' })
  git(root, 'add', '-A')
  git(root, 'commit', '-m', 'linked to two')
  git(root, 'merge', 'removing')
  expect(await titles(minions)).toEqual(['one on main', 'three'])
  expect(await minions.relations(one.id)).toEqual([])
  expect((await minions.problems()).map(({ code }) => code)).toEqual(['REFERENCE_VIOLATION'])

  git(root, 'checkout', '-b', 'left')
  await minions.update(one.id, { title: 'left' })
  git(root, 'commit', '-am', 'left')
  git(root, 'checkout', '-b', 'right', 'main')
  await minions.update(one.id, { title: 'right' })
  git(root, 'commit', '-am', 'right')
  expect(() => git(root, 'merge', 'left')).toThrow()
  expect(await titles(minions)).toEqual(['three'])
  expect((await minions.problems()).map(({ code }) => code).sort()).toEqual(['REFERENCE_VIOLATION', 'STORAGE_CORRUPT'])
  expect((await minions.problems()).some(({ message }) => message.includes('contains a merge conflict'))).toBe(true)
  const file = join(root, recordPath('minions', one.id, '.json'))
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/<<<<<<<.*\n([\s\S]*?)=======\n[\s\S]*?>>>>>>>.*\n/g, '$1'))
  git(root, 'commit', '-am', 'resolved')
  expect(await titles(minions)).toEqual(['right', 'three'])
  await minions.close()

  // A branch from before a collection existed: its catalogue comes with it.
  const catalogue = join(root, '.minions/catalogue.json')
  const text = readFileSync(catalogue, 'utf8')
  const { evolutions, ...collections } = JSON.parse(text).collections
  expect(evolutions).toBeDefined()
  const open = await Minions.open({ storage: fsStorage({ root }) })
  writeFileSync(catalogue, JSON.stringify({ ...JSON.parse(text), collections }))
  await open.update(three.id, { title: 'third' })
  expect(readFileSync(catalogue, 'utf8')).toBe(text)
  await open.update(three.id, { title: 'three' })
  git(root, 'commit', '-am', 'again')
  await open.close()

  git(folder, 'clone', root, 'clone')
  const clone = await Minions.open({ storage: fsStorage({ root: join(folder, 'clone') }) })
  expect(await titles(clone)).toEqual(['right', 'three'])
  expect((await clone.search('right')).items).toHaveLength(1)
  await clone.close()
})

it.each(['json', 'yaml'] as const)('takes a conflict as it was resolved by hand, in %s', async (format) => {
  const root = join(folder, format)
  const storage = () => fsStorage({ root, format })
  const minions = await Minions.open({ storage: storage() })
  const { id } = await minions.create('note', { title: 'a note', fields: { content: 'x' } })
  git(root, 'init')
  git(root, 'add', '-A')
  git(root, 'commit', '-m', 'first')
  git(root, 'checkout', '-b', 'branch')
  await minions.update(id, { title: 'a blue note' })
  git(root, 'commit', '-am', 'blue')
  git(root, 'checkout', 'main')
  await minions.update(id, { description: 'from the main branch' })
  git(root, 'commit', '-am', 'described')
  expect(() => git(root, 'merge', 'branch')).toThrow()
  expect(await minions.get(id)).toBeUndefined()

  // The text to search and the time stay as one side had them: the former follows from the rest.
  const path = recordPath('minions', id, `.${format}`)
  git(root, 'checkout', '--ours', path)
  const file = join(root, path)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(title"?: "?)a note/, '$1a blue note'))
  expect(await minions.get(id)).toMatchObject({ title: 'a blue note', description: 'from the main branch' })
  expect(await minions.problems()).toEqual([])
  expect((await minions.search('blue branch')).items).toHaveLength(1)
  await minions.close()
  git(root, 'commit', '-am', 'merged')
  const again = await Minions.open({ storage: storage() })
  expect(await titles(again)).toEqual(['a blue note'])
  await again.close()
})
