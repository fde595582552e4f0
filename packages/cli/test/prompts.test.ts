import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

describe('prompts', () => {
  it('goes from a first draft to a published version and back', async () => {
    const minions = new Minions()
    writeFileSync(minions.path('draft.txt'), 'Hello {{name}}!')
    await minions.json(['prompts', 'new', '--title', 'Greeting', '--content', '@draft.txt'])
    expect((await minions.here(['prompts', 'render', 'Greeting', '--var', 'name=Ada'])).stdout).toBe('Hello Ada!\n')
    const missing = await minions.here(['prompts', 'render', 'Greeting'])
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^minions: \w+: .*name/) })
    await minions.json(['prompts', 'version', 'Greeting', '--content', 'Good day, {{name}}.', '--changelog', 'Formal'])
    expect((await minions.here(['prompts', 'render', 'Greeting', '--var', 'name=Ada'])).stdout).toBe('Hello Ada!\n')
    const first = ['prompts', 'render', 'Greeting', '--version', '1', '--vars', '{"name":"Ada"}']
    expect((await minions.here(first)).stdout).toBe('Good day, Ada.\n')
    const diff = await minions.here(['prompts', 'diff', 'Greeting'])
    expect(diff.stdout).toContain('Hello {{name}}!')
    expect(diff.stdout).toContain('Good day, {{name}}.')
    expect(await minions.here(['prompts', 'publish', 'Greeting'])).toMatchObject({
      code: 0,
      stderr: 'v1 is published.\n',
    })
    expect((await minions.here(['prompts', 'render', 'Greeting', '--var', 'name=Ada'])).stdout).toBe('Good day, Ada.\n')
    expect(await minions.here(['prompts', 'rollback', 'Greeting'])).toMatchObject({
      code: 0,
      stderr: 'v0 is published.\n',
    })
    expect((await minions.json(['prompts', 'show', 'Greeting'])).fields.content).toBe('Hello {{name}}!')
    expect((await minions.here(['prompts', 'history', 'Greeting'])).stdout).toMatch(
      /v0 +Greeting[\s\S]*v1 +Greeting +Formal/,
    )
  })

  it('adds tests, runs them and says in the exit code what came of it', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'new', '--title', 'P', '--content', 'Hi {{name}}'])
    expect(await minions.here(['prompts', 'lint', 'P'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('missing-test'),
    })
    await minions.json(['prompts', 'test', 'P', '--add', '--input', '{"name":"Ada"}', '--dimension', 'contains'])
    expect(await minions.json(['prompts', 'test', 'P', '--list'])).toHaveLength(1)
    expect(await minions.run(['prompts', 'test', 'P', '--contains', 'Ada'])).toMatchObject({ code: 0 })
    expect(await minions.run(['prompts', 'test', 'P', '--contains', 'Bob'])).toMatchObject({ code: 1 })
    expect(await minions.here(['prompts', 'test', 'P'])).toMatchObject({ code: 2 })
    await minions.json(['prompts', 'version', 'P', '--content', 'Dear {{name}}'])
    writeFileSync(
      minions.path('judge.mjs'),
      'export default (text) => ({ scores: { contains: text.length }, passed: true })',
    )
    const comparison = await minions.json(['prompts', 'compare', 'P', '1', '--evaluator', './judge.mjs'])
    expect(comparison).toMatchObject({
      verdict: 'inconclusive',
      dimensions: [{ dimension: 'contains', meanDifference: 2 }],
    })
  })

  it('moves a prompt to another store, and to other formats', async () => {
    const [here, there] = [new Minions(), new Minions()]
    await here.json(['prompts', 'new', '--title', 'Move', '--content', 'Hi {{name}}'])
    await here.json(['prompts', 'version', 'Move', '--content', 'Hey {{name}}'])
    expect(await here.run(['prompts', 'export', 'Move', '--output', 'move.json'])).toMatchObject({ code: 0 })
    await there.json(['prompts', 'import', here.path('move.json')])
    const again = await there.here(['prompts', 'export', 'Move'])
    expect(again.stdout).toBe(readFileSync(here.path('move.json'), 'utf8'))
    expect((await there.here(['prompts', 'export', 'Move', '--format', 'mermaid'])).stdout).toMatch(/^flowchart/)
    expect(await there.json(['prompts', 'export', 'Move', '--format', 'raw', '--var', 'name=Ada'])).toEqual({
      format: 'raw',
      text: 'Hi Ada',
    })
    expect(await there.json(['prompts', 'export', 'Move'])).toEqual(JSON.parse(again.stdout))
    expect(await there.json(['prompts', 'export', 'Move', '--output', 'm.json'])).toMatchObject({ output: 'm.json' })
    expect(JSON.parse((await there.here(['prompts', 'export', 'Move', '--format', 'langchain'])).stdout)).toMatchObject(
      {
        templateFormat: 'mustache',
      },
    )
    expect(await there.here(['prompts', 'export', 'Move', '--format', 'paper'])).toMatchObject({ code: 1 })
  })
})
