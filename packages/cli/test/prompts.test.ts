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

  it('says which version is published, and keeps version 0 as it was', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'new', '--title', 'P', '--content', 'zero'])
    await minions.json(['prompts', 'version', 'P', '--content', 'one'])
    expect((await minions.here(['prompts', 'show', 'P'])).stdout).toMatch(/^published +v0$/m)
    expect(await minions.json(['prompts', 'publish', 'P'])).toMatchObject({ publishedVersion: 1 })
    const shown = await minions.here(['prompts', 'show', 'P'])
    expect(shown.stdout).toMatch(/^published +v1$/m)
    expect(shown.stdout).not.toContain('v0')
    expect(await minions.json(['prompts', 'show', 'P'])).toMatchObject({ publishedVersion: 1 })
    const listed = await minions.here(['prompts', 'list'])
    expect([listed.stdout.includes('v1'), listed.stdout.includes('v0')]).toEqual([true, false])
    expect(await minions.json(['prompts', 'list'])).toMatchObject([{ publishedVersion: 1 }])
    expect(await minions.json(['prompts', 'history', 'P'])).toMatchObject([
      { version: 0, published: false, fields: { content: 'zero' } },
      { version: 1, published: true, fields: { content: 'one' } },
    ])
    expect((await minions.here(['prompts', 'history', 'P'])).stdout).toMatch(/v1 +P +yes/)
    expect((await minions.here(['prompts', 'diff', 'P', '0', '1'])).stdout).toContain('- zero')
    expect((await minions.here(['prompts', 'diff', 'P'])).stdout).toContain('- zero')
    expect((await minions.here(['prompts', 'show', 'P', '--version', '0'])).stdout).toMatch(
      /^version +v0$[\s\S]*zero$/m,
    )
    expect((await minions.here(['prompts', 'render', 'P', '--version', '0'])).stdout).toBe('zero\n')
    const raw = ['prompts', 'export', 'P', '--format', 'raw', '--version', '0']
    expect((await minions.here(raw)).stdout).toBe('zero\n')
    expect(await minions.here(['prompts', 'render', 'P', '--version', '7'])).toMatchObject({ code: 1 })
  })

  it('declares variables, lists them and takes them back', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'new', '--title', 'P', '--content', '{{name}} {{#each items}}{{this}}{{/each}}'])
    expect((await minions.here(['prompts', 'variables', 'list', 'P'])).stdout).toBe('No variables are declared.\n')
    const set = ['prompts', 'variables', 'set', 'P']
    const name = await minions.json([...set, 'name', '--description', 'Who', '--default', 'Ada', '--example', 'Bob'])
    expect(name).toMatchObject({
      title: 'name',
      fields: { variableType: 'string', required: false, defaultValue: 'Ada', description: 'Who', example: 'Bob' },
    })
    await minions.json([...set, 'items', '--type', 'array', '--default', '["a","b"]'])
    expect((await minions.here(['prompts', 'render', 'P'])).stdout).toBe('Ada ab\n')
    const variables = await minions.here(['prompts', 'variables', 'list', 'P'])
    expect(variables.stdout).toMatch(/^name +string/m)
    expect(variables.stdout).toMatch(/^items +array/m)
    await minions.json([...set, 'name', '--required', '--by', 'ada'])
    expect(await minions.here(['prompts', 'render', 'P'])).toMatchObject({ code: 1 })
    expect(await minions.json(['prompts', 'variables', 'remove', 'P', 'items'])).toMatchObject({ removed: true })
    const left = await minions.json(['prompts', 'variables', 'list', 'P'])
    expect(left).toMatchObject([{ title: 'name', fields: { required: true }, updatedBy: 'ada' }])
    expect(await minions.here(['prompts', 'variables', 'remove', 'P', 'items'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_FOUND'),
    })
    expect(await minions.here([...set, 'n', '--type', 'date'])).toMatchObject({ code: 2 })
    expect(await minions.here([...set, 'n', '--type', 'number', '--default', 'many'])).toMatchObject({ code: 1 })
    expect((await minions.here([...set, '--help'])).stdout).toContain('Example')
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
    expect(await minions.here(['prompts', 'test', 'P', '--contains', 'Ada'])).toMatchObject({ code: 0 })
    expect(await minions.here(['prompts', 'test', 'P', '--contains', 'Bob'])).toMatchObject({ code: 1 })
    expect(await minions.here(['prompts', 'test', 'P'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to judge'),
    })
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

  it('runs tests by the assertions they hold, and asks what answers', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'new', '--title', 'Support', '--name', 'support-bot', '--content', 'Hi {{name}}'])
    const add = ['prompts', 'test', 'support-bot', '--add', '--input', '{"name":"Ada"}']
    await minions.json([...add, '--contains', 'Ada', '--not-contains', 'Bob', '--min-length', '2', '--golden'])
    await minions.json([...add, '--equals', 'Good day'])
    const rendered = await minions.here(['prompts', 'test', 'support-bot'])
    expect(rendered).toMatchObject({ code: 1, stdout: expect.stringContaining('1 passed, 1 failed') })
    writeFileSync(minions.path('answer.mjs'), `export default (text) => (text === 'Hi Ada' ? 'Good day' : '')`)
    const { stdout } = await minions.here(['prompts', 'test', 'support-bot', '--answer', './answer.mjs', '--json'])
    const evaluations: { fields: { output: string; passed: boolean } }[] = JSON.parse(stdout)
    const results = evaluations.map(({ fields }) => fields)
    expect(results.map(({ output }) => output)).toEqual(['Good day', 'Good day'])
    expect(results.map(({ passed }) => passed).sort()).toEqual([false, true])
    await minions.json(['prompts', 'rename', 'support-bot', 'help-bot'])
    expect((await minions.here(['prompts', 'render', 'support-bot', '--var', 'name=Bo'])).stdout).toBe('Hi Bo\n')
    expect((await minions.here(['prompts', 'list'])).stdout).toContain('help-bot')
  })

  it('moves a prompt to another store, and to other formats', async () => {
    const [here, there] = [new Minions(), new Minions()]
    await here.json(['prompts', 'new', '--title', 'Move', '--content', 'Hi {{name}}'])
    await here.json(['prompts', 'version', 'Move', '--content', 'Hey {{name}}'])
    expect(await here.here(['prompts', 'export', 'Move', '--output', 'move.json'])).toMatchObject({ code: 0 })
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

  it('has a command for every operation, with a version by number or id', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'create', '--title', 'P', '--content', 'a'])
    const { id } = await minions.json(['prompts', 'add-version', '--prompt', 'P', '--content', 'b'])
    const get = (version: string) => minions.json(['prompts', 'get', '--prompt', 'P', '--version', version])
    expect(await get(id)).toMatchObject({ id, publishedVersion: 0 })
    expect(await get('1')).toEqual(await minions.json(['prompts', 'show', 'P', '--version', '1']))
  })
})
