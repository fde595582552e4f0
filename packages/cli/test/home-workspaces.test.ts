import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filled, type Minions } from './support/minions.js'

const names = async (minions: Minions, ...options: string[]) =>
  (await minions.json(['workspace', 'list', ...options])).map(({ name }: { name: string }) => name)

async function withWorkspace(): Promise<Minions> {
  const minions = await filled()
  await minions.json(['workspace', 'add', '--name', 'at-home', '--sample'])
  return minions
}

describe('workspaces of the home folder', () => {
  it('are copied with the configured store, again and again', async () => {
    const minions = await withWorkspace()
    const copy = ['copy', '--from', 'sqlite:./minions.db', '--to', 'sqlite:./to.db']
    expect(await minions.here(copy)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 workspace of the home folder is included'),
    })
    expect(await names(minions, '--storage', 'sqlite:./to.db')).toEqual(['at-home'])
    const again = await minions.json(copy)
    expect(again.collections.every((row: { written: number }) => row.written === 0)).toBe(true)
    expect(await names(minions, '--storage', 'sqlite:./minions.db')).toEqual([])
  })

  it('stay behind with a word when another store is copied, unless they are asked for', async () => {
    const minions = await withWorkspace()
    await minions.json(['create', 'note', '--title', 'A', '--content', 'x', '--storage', 'sqlite:./other.db'])
    const copy = ['copy', '--from', 'sqlite:./other.db', '--to', 'sqlite:./to.db']
    const outcome = await minions.here(copy)
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('add --workspaces') })
    expect(outcome.stderr).toContain(minions.path('workspaces.json'))
    expect(await names(minions, '--storage', 'sqlite:./to.db')).toEqual([])
    expect(await minions.here([...copy, '--workspaces'])).toMatchObject({ code: 0 })
    expect(await names(minions, '--storage', 'sqlite:./to.db')).toEqual(['at-home'])
  })

  it('stay behind without a word when they are not wanted', async () => {
    const minions = await withWorkspace()
    const copy = ['copy', '--from', 'sqlite:./minions.db', '--to', 'sqlite:./to.db', '--no-workspaces']
    const outcome = await minions.here(copy)
    expect(outcome.code).toBe(0)
    expect(outcome.stderr).not.toContain('workspace')
  })

  it('are in a bundle of everything, beside those of the store', async () => {
    const minions = await withWorkspace()
    await minions.json(['workspace', 'add', '--name', 'in-store', '--storage', 'sqlite:./minions.db'])
    expect(await minions.here(['export', '--all', '--output', 'all.jsonl'])).toMatchObject({ code: 0 })
    const imported = await minions.here(['import', 'all.jsonl'], { env: { MINIONS_STORAGE: 'fs:./files' } })
    expect(imported).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`minions workspace list --storage fs:${minions.path('files')}`),
    })
    expect((await names(minions, '--storage', 'fs:./files')).sort()).toEqual(['at-home', 'in-store'])
    const plain = await minions.here(['export', '--all', '--no-workspaces'])
    expect(plain.stdout).not.toContain('at-home')
    expect(plain.stdout).toContain('in-store')
    const named = await minions.here(['export', '--all', '--storage', 'sqlite:./minions.db'])
    expect(named.stdout).not.toContain('at-home')
    expect(named.stderr).toContain('add --workspaces')
    expect(await minions.here(['export', '--workspaces'])).toMatchObject({ code: 2 })
    expect((await minions.here(['export'])).stderr).toBe('')
  })

  it('give way to a workspace of the store with the same id, which is said', async () => {
    const minions = await withWorkspace()
    const copy = ['copy', '--from', 'sqlite:./minions.db', '--to', 'sqlite:./to.db']
    await minions.json(copy)
    await minions.json(['workspace', 'update', 'at-home', '--name', 'renamed', '--storage', 'sqlite:./to.db'])
    const outcome = await minions.here(['export', '--all', '--workspaces', '--storage', 'sqlite:./to.db'])
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('with different content') })
    expect(outcome.stdout).toContain('renamed')
    expect(outcome.stdout).not.toContain('"name":"at-home"')
  })

  it('that JavaScript cannot hold are named', async () => {
    const minions = await withWorkspace()
    const file = minions.path('workspaces.json')
    expect(existsSync(file)).toBe(true)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"state": {', '"state": {\n      "n": NaN,'))
    const outcome = await minions.here(['export', '--all'])
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('/state/n is NaN') })
    expect(await minions.here(['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('/state/n is NaN'),
    })
  })
})
