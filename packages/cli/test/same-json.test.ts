import { beforeAll, describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

/** Commands that read, and the operation whose result they print with `--json`. */
const SAME: readonly (readonly [command: readonly string[], operation: string, input: object])[] = [
  [['tree', 'note-1'], 'relations.tree', { id: 'note-1' }],
  [['graph', '--type', 'note'], 'diagrams.get', { type: 'note' }],
  [['graph', '--chain', 'P'], 'diagrams.get', { chain: 'P' }],
  [['schemas', 'export', '--type', 'task'], 'types.jsonSchema', { type: 'task' }],
  [['prompts', 'show', 'P'], 'prompts.get', { prompt: 'P' }],
  [['prompts', 'show', 'P', '--version', '0'], 'prompts.get', { prompt: 'P', version: 0 }],
  [['prompts', 'render', 'P', '--var', 'name=Ada'], 'prompts.render', { prompt: 'P', variables: { name: 'Ada' } }],
  [['prompts', 'history', 'P'], 'prompts.history', { prompt: 'P' }],
  [['prompts', 'diff', 'P'], 'prompts.diff', { prompt: 'P' }],
  [['prompts', 'variables', 'list', 'P'], 'prompts.listVariables', { prompt: 'P' }],
  [['prompts', 'test', 'P', '--list'], 'prompts.listTests', { prompt: 'P' }],
  [
    ['prompts', 'compare', 'P', '1', '--contains', 'Ada', '--max-length', '9'],
    'prompts.compare',
    { a: 'P', b: 1, contains: ['Ada'], maxLength: 9 },
  ],
  [['prompts', 'export', 'P'], 'prompts.export', { prompt: 'P' }],
  [['prompts', 'export', 'P', '--format', 'mermaid'], 'prompts.export', { prompt: 'P', format: 'mermaid' }],
  [['workspace', 'list'], 'workspaces.list', {}],
  [['workspace', 'show', 'w'], 'workspaces.get', { workspace: 'w' }],
  [['workspace', 'evaluate', 'w'], 'workspaces.evaluate', { workspace: 'w' }],
  [['workspace', 'explain', 'w'], 'workspaces.explain', { workspace: 'w' }],
  [['workspace', 'sessions', 'w'], 'workspaces.sessions', { workspace: 'w' }],
  [['workspace', 'sessions', 'w', 'monday'], 'workspaces.messages', { workspace: 'w', session: 'monday' }],
]

describe('a command prints as JSON what its operation gives', () => {
  let minions: Minions
  const operation = (name: string, input: object) =>
    minions.json(['operations', 'run', name, '--input', JSON.stringify(input), '--yes'])

  beforeAll(async () => {
    minions = new Minions()
    for (const id of ['note-1', 'note-2']) {
      await operation('objects.create', { type: 'note', id, title: id, fields: { content: 'x' } })
    }
    await operation('relations.link', { sourceId: 'note-1', type: 'parent_of', targetId: 'note-2' })
    await operation('prompts.create', { title: 'P', content: 'Hello {{name}}!' })
    await operation('prompts.addVersion', { prompt: 'P', content: 'Hi {{name}}', changelog: 'Shorter' })
    await operation('prompts.publish', { prompt: 'P' })
    await operation('prompts.setVariable', { prompt: 'P', name: 'name' })
    await operation('prompts.addTest', { prompt: 'P', inputVariables: { name: 'Ada' } })
    await operation('workspaces.add', { name: 'w', sample: true })
    await operation('workspaces.addMessage', { workspace: 'w', session: 'monday', message: { role: 'user' } })
  })

  it.each(SAME)('%j and %s', async (command, name, input) => {
    expect(await operation(name, input)).toEqual(await minions.json(command))
  })

  it('a list of the command is a page of the operation, and a problem ends the command with 1', async () => {
    expect(await operation('prompts.list', {})).toEqual({ items: await minions.json(['prompts', 'list']) })
    const { code, stdout } = await minions.here(['prompts', 'lint', 'P', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual(await operation('prompts.lint', { prompt: 'P' }))
    const { context, workspace } = await operation('workspaces.context', { workspace: 'w' })
    expect(await minions.json(['workspace', 'context', 'w'])).toMatchObject({ workspace })
    expect(context).toMatch(/^# Workspace w/)
  })
})
