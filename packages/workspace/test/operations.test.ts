import { appendFile } from 'node:fs/promises'
import { memoryStorage } from '@minions/core/memory'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendHistory, workspace } from '../src/index.js'
import { workspaceOperations } from '../src/operations/workspace-operations.js'
import { temporaryDirectory } from './temporary.js'

async function open(store: 'files' | 'storage' = 'storage') {
  const configDir = await temporaryDirectory()
  return createMinions({ storage: memoryStorage(), plugins: [workspace({ configDir, store })] })
}

const examples = workspaceOperations.flatMap(({ name, examples = [] }) =>
  examples.map((example) => ({ name, ...example })),
)

it.each(examples)('$name: $title', async ({ name, given = [], input }) => {
  const app = await open()
  for (const [operation, before] of given) await runOperation(app, operation, before)
  await runOperation(app, name, input)
  await app.close()
})

describe.each(['files', 'storage'] as const)('operations on workspaces in %s', (store) => {
  let app: Awaited<ReturnType<typeof open>>
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  const run = (name: string, input: object): Promise<any> =>
    runOperation(app, `workspaces.${name}`, name === 'add' || name === 'list' ? input : { workspace: 'w', ...input })

  beforeEach(async () => {
    app = await open(store)
    await run('add', { name: 'w', description: 'first' })
  })

  afterEach(() => app.close())

  it('create, change, list and remove them', async () => {
    const added = await run('add', { name: 'demo', sample: true })
    expect(added).toMatchObject({ name: 'demo', state: { task_priority: 'high' } })
    expect(await run('get', { workspace: added.id.slice(0, 8) })).toEqual(added)
    const changed = await run('update', { name: 'W', description: 'second' })
    expect(changed).toMatchObject({ name: 'W', description: 'second' })
    expect(await run('update', { workspace: 'W', name: 'W' })).toMatchObject({ name: 'W', description: 'second' })
    const listed = await run('list', {})
    expect(listed.map(({ name }: { name: string }) => name).sort()).toEqual(['W', 'demo'])
    expect(await run('remove', { workspace: 'demo' })).toEqual({ removed: added.id, name: 'demo' })
    expect(await run('list', {})).toHaveLength(1)
  })

  it('set state, add rules, and say which hold and why', async () => {
    expect(await run('setState', { key: 'mood', value: { calm: [1, null] } })).toEqual({ mood: { calm: [1, null] } })
    expect(await run('setState', { key: '__proto__', value: 1 })).toMatchObject({ mood: { calm: [1, null] } })
    const condition = { type: 'state_equals', key: 'mood', value: { calm: [1, null] } }
    const rule = await run('addRule', { name: 'Calm', priority: 'HIGH', condition, action: { type: 'rest' } })
    expect(rule).toMatchObject({ name: 'Calm', priority: 3, enabled: true })
    await run('addRule', { name: 'Off', enabled: false })
    expect(await run('evaluate', {})).toEqual([
      { rule_id: rule.id, rule_name: 'Calm', action: { type: 'rest' }, priority: 3, inherited_from: null },
    ])
    expect(await run('explain', {})).toMatchObject([
      { rule_name: 'Calm', matched: true },
      { rule_name: 'Off', matched: false, reason: 'the rule is disabled' },
    ])
    expect(await run('removeRule', { rule: rule.id.slice(0, 8) })).toEqual({ removed: rule.id, name: 'Calm' })
    expect(await run('evaluate', {})).toEqual([])
  })

  it('tell what an agent is told, and keep conversations', async () => {
    expect((await run('context', {})).context).toMatch(/^# Workspace w/)
    expect(await run('sessions', {})).toEqual([])
    await run('addMessage', { session: 'monday', message: { role: 'user', content: 'Hello' } })
    const [session] = await run('sessions', {})
    expect(session).toMatchObject({ id: 'monday', bytes: expect.any(Number) })
    await appendFile(session.path, 'damaged\n')
    expect(await run('messages', { session: 'monday' })).toEqual([{ role: 'user', content: 'Hello' }])
    await expect(run('messages', { session: 'friday' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(run('messages', { session: '../w' })).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  })

  it('tell what a workspace remembers, and set a section of it', async () => {
    expect(await run('memory', {})).toMatchObject({ facts: '', history: [], insights: [] })
    const { facts } = await run('remember', { heading: 'Habits', facts: ['Call first.', ' ', 'Be brief.'] })
    expect(facts).toBe('## Habits\n- Call first.\n- Be brief.\n')
    expect(await run('remember', { heading: 'Habits', facts: ['Write.'] })).toEqual({ facts: '## Habits\n- Write.\n' })
    const root = app.workspace.rootOf(await app.workspace.find('w'))
    for (const entry of ['First', 'Second']) await appendHistory(root, entry)
    await app.workspace.insights.add('Boats sell in May.')
    expect(await run('memory', {})).toMatchObject({
      facts: '## Habits\n- Write.\n',
      history: ['Second', 'First'],
      insights: [{ content: 'Boats sell in May.' }],
    })
    await expect(run('remember', { heading: ' ', facts: [] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('refuse what cannot be, and change nothing', async () => {
    const before = await run('list', {})
    for (const [name, input, code] of [
      ['get', { workspace: 'nobody' }, 'NOT_FOUND'],
      ['remove', { workspace: 'nobody' }, 'NOT_FOUND'],
      ['add', { name: 'w' }, 'VALIDATION_FAILED'],
      ['add', { name: ' ' }, 'VALIDATION_FAILED'],
      ['add', { name: 'x', colour: 'red' }, 'VALIDATION_FAILED'],
      ['update', { name: ' ' }, 'VALIDATION_FAILED'],
      ['addRule', { name: ' ' }, 'VALIDATION_FAILED'],
      ['addRule', { name: 'r', priority: 'NONE' }, 'VALIDATION_FAILED'],
      ['addRule', { name: 'r', condition: [] }, 'VALIDATION_FAILED'],
      ['removeRule', { rule: 'r' }, 'NOT_FOUND'],
      ['setState', { key: 'x' }, 'VALIDATION_FAILED'],
    ] as const) {
      await expect(run(name, input), `${name} ${JSON.stringify(input)}`).rejects.toMatchObject({ code })
    }
    expect(await run('list', {})).toEqual(before)
    const remove = runOperation(app, 'workspaces.remove', { workspace: 'w' }, { access: 'read' })
    await expect(remove).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('refuse a rule by a name that several have', async () => {
    const { id } = await run('addRule', { name: 'r' })
    await run('addRule', { name: 'r' })
    await expect(run('removeRule', { rule: 'r' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await run('removeRule', { rule: id })).toMatchObject({ removed: id })
  })
})
