import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filled, Minions } from './support/minions.js'

describe('processes', () => {
  it('two at once lose nothing, in a store and in workspaces.json', async () => {
    const minions = new Minions()
    const both = async (args: (index: number) => string[]) => {
      const outcomes = await Promise.all([1, 2].map((n) => minions.run(args(n))))
      expect(outcomes).toMatchObject([{ code: 0 }, { code: 0 }])
    }
    await both((n) => ['create', 'note', '--title', `N${n}`, '--content', 'x'])
    expect(await minions.json(['list'])).toHaveLength(2)
    await both((n) => ['workspace', 'add', '--name', `w${n}`])
    await both((n) => ['workspace', 'set-state', 'w1', '--key', `k${n}`, '--value', `${n}`])
    expect((await minions.json(['workspace', 'show', 'w1'])).state).toEqual({ k1: 1, k2: 2 })
    const types = await Promise.all(
      [1, 2].map(() => minions.run(['types', 'create', '--slug', 'book', '--field', 'author:string'])),
    )
    expect(types.map(({ code }) => code).sort()).toEqual([0, 1])
  })

  it('an interrupted skill leaves no half-written record', async () => {
    const minions = new Minions()
    const { mkdirSync, writeFileSync } = await import('node:fs')
    mkdirSync(minions.path('skills'))
    writeFileSync(
      minions.path('skills', 'slow.mjs'),
      `export const slow = { name: 'slow', version: '1.0.0', parameters_schema: { type: 'object' },
        execute: (_, { signal }) => { process.stderr.write('begun'); return new Promise((resolve, reject) => {
          const timer = setTimeout(() => resolve({}), 60000)
          signal.addEventListener('abort', () => { clearTimeout(timer); reject(new Error('stopped')) }) }) } }`,
    )
    const outcome = await minions.run(['skills', 'run', 'slow', '--from', './skills'], { interruptAt: /begun/ })
    expect(outcome).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') })
    const agents = await minions.json(['agents', 'list'])
    expect(agents).toMatchObject([{ state: 'failed', error: 'cancelled' }])
    expect(await minions.here(['doctor'])).toMatchObject({ code: 0 })
  })

  it('a file is written whole or not at all', async () => {
    const minions = await filled()
    const outcome = await minions.here(['export', '--output', './no-such-folder/bundle.jsonl'])
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('FILE_UNWRITABLE') })
    expect(existsSync(minions.path('no-such-folder'))).toBe(false)
    await minions.here(['export', '--output', './bundle.jsonl'])
    expect(readdirSync(minions.home).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
