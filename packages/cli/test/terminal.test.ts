import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

describe('at a terminal', () => {
  it('asks for what was not given', async () => {
    const minions = new Minions()
    const { code } = await minions.atTerminal(['create', 'note', '--content', 'x'], [[/title of the new/, 'Typed\r']])
    expect(code).toBe(0)
    expect(await minions.json(['list'])).toMatchObject([{ title: 'Typed' }])
  })

  it('asks before it destroys, and takes no for an answer', async () => {
    const minions = new Minions()
    const { id } = await minions.json(['create', 'note', '--title', 'Dear', '--content', 'x'])
    const kept = await minions.atTerminal(['purge', id], [[/permanently\?/, 'n']])
    expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining('CONFIRMATION_REQUIRED') })
    expect(await minions.json(['list'])).toHaveLength(1)
    expect(await minions.atTerminal(['purge', id], [[/permanently\?/, 'y']])).toMatchObject({ code: 0 })
    expect(await minions.json(['list'])).toEqual([])
  })

  it('ends with 130 on Ctrl-C, and nothing is written', async () => {
    const minions = new Minions()
    const { code } = await minions.atTerminal(['prompts', 'new', '--content', 'x'], [[/title of the prompt/, '\u0003']])
    expect(code).toBe(130)
    expect(existsSync(minions.path('minions.db'))).toBe(false)
  })
})
