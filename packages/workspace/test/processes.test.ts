import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { currentProcess, formatProcess, type ProcessIdentity } from '@minions/core/coordination'
import { expect, it } from 'vitest'
import { withLock } from '../src/files/lock.js'
import { initWorkspace, WorkspaceManager } from '../src/index.js'
import { runChild } from './child.js'
import { temporaryDirectory } from './temporary.js'

it('two processes that add workspaces at once both keep theirs', async () => {
  const directory = await temporaryDirectory()
  await Promise.all(['a', 'b'].map((prefix) => runChild('add-workspaces.mjs', directory, prefix, '8')))
  const names = Object.values(await new WorkspaceManager(directory).loadWorkspaces()).map(({ name }) => name)
  expect(names.sort()).toEqual(['a', 'b'].flatMap((p) => Array.from({ length: 8 }, (_, i) => `${p}-${i}`)))
  expect(await readdir(directory)).toEqual(['workspaces.json'])
})

it('processes that append and rotate lose no line and mix none', async () => {
  const root = await temporaryDirectory()
  await initWorkspace(root)
  const prefixes = ['a', 'b', 'c']
  // Rotates every few lines, because a line could be lost only at the moment when a new file is begun.
  await Promise.all(prefixes.map((prefix) => runChild('append-history.mjs', root, prefix, '300', '400')))
  const memory = join(root, 'memory')
  const files = (await readdir(memory)).filter((name) => name.startsWith('HISTORY'))
  expect(files.length).toBeGreaterThan(3)
  const texts = await Promise.all(files.map((name) => readFile(join(memory, name), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('-'))
  const expected = prefixes.flatMap((p) => Array.from({ length: 300 }, (_, i) => `- ${p}-${i} ${'x'.repeat(i % 97)}.`))
  expect(lines.sort()).toEqual(expected.sort())
})

it('a lock left by a process that is gone is broken', async () => {
  const directory = await temporaryDirectory()
  await runChild('die-with-lock.mjs', directory)
  expect(await readdir(directory)).toEqual([expect.stringMatching(/^workspaces\.json\.lock-/)])
  const managers = Array.from({ length: 4 }, () => new WorkspaceManager(directory))
  await Promise.all(
    managers.map((manager) => {
      const ws = manager.createWorkspace('after')
      return manager.saveWorkspaces({ [ws.id]: ws })
    }),
  )
  expect(Object.keys(await new WorkspaceManager(directory).loadWorkspaces())).toHaveLength(4)
  expect(await readdir(directory)).toEqual(['workspaces.json'])
})

it.each<[string, Partial<ProcessIdentity>]>([
  ['another machine', { machine: 'f'.repeat(12) }],
  ['another container', { namespace: 'f'.repeat(12) }],
  ['a living process', {}],
])('a lock of %s is respected', async (_, owner) => {
  const directory = await temporaryDirectory()
  const name = `file.lock-${formatProcess({ ...currentProcess(), ...owner })}-${'0'.repeat(16)}`
  await writeFile(join(directory, name), '')
  const work = withLock(join(directory, 'file'), async () => expect.unreachable(), 100)
  await expect(work).rejects.toMatchObject({ code: 'STORAGE_BUSY', message: expect.stringContaining(name) })
  expect(await readdir(directory)).toEqual([name])
})

it('a lock is released when the work fails, and only one works at a time', async () => {
  const path = join(await temporaryDirectory(), 'lock')
  await expect(withLock(path, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  let inside = 0
  const work = async () => {
    expect(++inside).toBe(1)
    await new Promise((done) => setTimeout(done, 3))
    inside--
  }
  await Promise.all(Array.from({ length: 10 }, () => withLock(path, work)))
})
