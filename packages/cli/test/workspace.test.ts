import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

describe('workspace', () => {
  it('does what the specification shows, on workspaces.json', async () => {
    const minions = new Minions()
    const ok = async (...args: string[]) => {
      const outcome = await minions.here(['workspace', ...args])
      expect(outcome, args.join(' ')).toMatchObject({ code: 0 })
      return outcome.stdout
    }
    await ok('add', '--name', 'research', '--init-files')
    await ok('add', '--name', 'demo', '--sample')
    expect(await ok('list')).toMatch(/research[\s\S]*demo/)
    await ok('show', 'research')
    await ok('update', 'research', '--description', 'Updated')
    expect(await ok('show', 'research')).toContain('Updated')
    await ok('set-state', 'research', '--key', 'task_priority', '--value', 'high')
    const condition = '{"type":"node_type_exists","node_type":"agent"}'
    const action = '{"type":"assign_task"}'
    await ok(
      'add-rule',
      'research',
      '--name',
      'Has agent',
      '--priority',
      'HIGH',
      '--condition',
      condition,
      '--action',
      action,
    )
    expect(await ok('explain', 'research')).toMatch(/Has agent +no/)
    expect(await ok('evaluate', 'demo')).toMatch(/RULE/)
    await ok('remove-rule', 'research', 'Has agent')
    await ok('init-files', 'research')
    expect(await ok('context', 'research')).toMatch(/^# Workspace research/)
    expect(await ok('sessions', 'research')).toBe('No sessions.\n')
    const { root_path: folder } = await minions.json(['workspace', 'show', 'research'])
    await ok('remove', 'research', '--yes')
    expect(existsSync(folder)).toBe(true)
    expect(await minions.here(['workspace', 'show', 'research'])).toMatchObject({ code: 1 })
    expect(existsSync(minions.path('minions.db'))).toBe(false)
    const file = JSON.parse(readFileSync(minions.path('workspaces.json'), 'utf8'))
    expect(Object.values(file)).toMatchObject([{ name: 'demo' }])
  })

  it('reads state as JSON if it is, as text when told to', async () => {
    const minions = new Minions()
    await minions.json(['workspace', 'add', '--name', 'w'])
    const set = (key: string, value: string, ...more: string[]) =>
      minions.json(['workspace', 'set-state', 'w', '--key', key, '--value', value, ...more])
    await set('number', '12')
    await set('list', '["a"]')
    await set('text', 'high')
    const state = await set('forced', '12', '--string')
    expect(state).toEqual({ number: 12, list: ['a'], text: 'high', forced: '12' })
  })

  it('refuses what cannot be', async () => {
    const minions = new Minions()
    await minions.json(['workspace', 'add', '--name', 'w'])
    expect(await minions.here(['workspace', 'add', '--name', 'w'])).toMatchObject({ code: 1 })
    expect(await minions.here(['workspace', 'update', 'w', '--name', ' '])).toMatchObject({ code: 1 })
    expect(await minions.here(['workspace', 'remove', 'w'])).toMatchObject({ code: 1 })
    expect(await minions.here(['workspace', 'add-rule', 'w', '--name', ''])).toMatchObject({ code: 1 })
    expect(await minions.here(['workspace', 'add-rule', 'w', '--name', 'r', '--priority', 'NONE'])).toMatchObject({
      code: 2,
    })
    expect(await minions.here(['workspace', 'add-rule', 'w', '--name', 'r', '--condition', '{'])).toMatchObject({
      code: 1,
    })
    expect(await minions.here(['workspace', 'remove-rule', 'w', 'r'])).toMatchObject({ code: 1 })
    expect(await minions.json(['workspace', 'list'])).toHaveLength(1)
  })

  it('keeps workspaces in a store only when one is named', async () => {
    const minions = new Minions()
    const storage = ['--storage', 'sqlite:./other.db']
    await minions.json(['workspace', 'add', '--name', 'stored', ...storage])
    expect(await minions.json(['workspace', 'list', ...storage])).toMatchObject([{ name: 'stored' }])
    expect(await minions.json(['workspace', 'list'], { env: { MINIONS_STORAGE: 'sqlite:./other.db' } })).toEqual([])
    expect(existsSync(minions.path('workspaces.json'))).toBe(false)
  })
})
