import type { Minion } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { type Progress, runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { skills } from '@minions/skills-runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prompts } from '../src/index.js'
import { promptOperations } from '../src/operations/prompt-operations.js'

const open = () => createMinions({ storage: memoryStorage(), plugins: [skills(), prompts()] })

const examples = promptOperations.flatMap(({ name, examples = [] }) =>
  examples.map((example) => ({ name, ...example })),
)

it.each(examples)('$name: $title', async ({ name, given = [], input }) => {
  const app = await open()
  for (const [operation, before] of given) await runOperation(app, operation, before)
  await runOperation(app, name, input)
  await app.close()
})

describe('operations on prompts', () => {
  let app: Awaited<ReturnType<typeof open>>
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  const run = (name: string, input: unknown): Promise<any> => runOperation(app, `prompts.${name}`, input, { by: 'ada' })

  beforeEach(async () => {
    app = await open()
    await run('create', { id: 'greeting', title: 'Greeting', content: 'Hello {{name}}!' })
  })

  afterEach(() => app.close())

  it('take a prompt by id or title, and a version by number or id', async () => {
    await run('addVersion', { prompt: 'Greeting', id: 'greeting-1', content: 'Good day, {{name}}.' })
    await run('publish', { prompt: 'Greeting' })
    const render = async (input: object) => (await run('render', { variables: { name: 'Ada' }, ...input })).text
    expect(await render({ prompt: 'Greeting' })).toBe('Good day, Ada.')
    expect(await render({ prompt: 'greeting', version: 0 })).toBe('Hello Ada!')
    for (const version of [1, '1', 'v1', 'greeting-1']) {
      expect(await render({ prompt: 'Greeting', version })).toBe('Good day, Ada.')
    }
    expect(await run('get', { prompt: 'Greeting' })).toMatchObject({ id: 'greeting', publishedVersion: 1 })
    expect(await run('list', {})).toMatchObject({ items: [{ id: 'greeting', publishedVersion: 1 }] })
    expect(await run('history', { prompt: 'Greeting' })).toMatchObject([
      { id: 'greeting', version: 0, published: false },
      { id: 'greeting-1', version: 1, published: true },
    ])
    expect(await run('rollback', { prompt: 'Greeting' })).toMatchObject({ publishedVersion: 0 })
    expect(await run('latest', { prompt: 'Greeting' })).toMatchObject({ version: 1, published: false })
    expect(await run('published', { prompt: 'greeting-1' })).toMatchObject({ id: 'greeting', published: true })
  })

  it('refuse a title that several prompts have, and names of nothing', async () => {
    await run('create', { title: 'Greeting', content: 'Hi' })
    await expect(run('get', { prompt: 'Greeting' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(run('get', { prompt: 'Nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(run('get', { prompt: 'greeting', version: 7 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(run('versionAt', { prompt: 'greeting', date: '1999-01-01' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(run('versionAt', { prompt: 'greeting', date: 'soon' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const note = await app.create('note', { title: 'n', fields: { content: 'n' } })
    await expect(run('get', { prompt: note.id })).rejects.toMatchObject({ code: 'PROMPT_TYPE_MISMATCH' })
  })

  it('write in the name of the caller, and publish only for those who may approve', async () => {
    const version: Minion = await run('addVersion', { prompt: 'greeting', content: 'Hi' })
    expect(version.createdBy).toBe('ada')
    const publish = (access: 'write' | 'approve') =>
      runOperation(app, 'prompts.publish', { prompt: 'greeting' }, { access })
    await expect(publish('write')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await publish('approve')).toMatchObject({ publishedVersion: 1 })
  })

  it('show the latest change, that of a version, and the way to another prompt', async () => {
    await run('addVersion', { prompt: 'greeting', content: 'B' })
    await run('addVersion', { prompt: 'greeting', content: 'C' })
    await run('create', { title: 'Other', content: 'O' })
    const content = async (ends: object) => {
      const { contentDiff } = await run('diff', { prompt: 'greeting', ...ends })
      return contentDiff.map(({ type, text }: { type: string; text: string }) => `${type} ${text}`)
    }
    expect(await content({})).toEqual(['remove B', 'add C'])
    expect(await content({ to: 1 })).toEqual(['remove Hello {{name}}!', 'add B'])
    expect(await content({ from: 0 })).toEqual(['remove Hello {{name}}!', 'add C'])
    expect(await content({ from: 2 })).toEqual(['remove Hello {{name}}!', 'add C'])
    expect(await content({ from: 'v1', to: 'Other' })).toEqual(['remove B', 'add O'])
  })

  it('run tests by assertions, report progress, and stop when they are cancelled', async () => {
    // Tests written within one millisecond are ordered by their ids.
    for (const name of ['Ada', 'Bob']) await run('addTest', { id: name, prompt: 'greeting', inputVariables: { name } })
    const seen: Progress[] = []
    const options = { by: 'ada', onProgress: (progress: Progress) => void seen.push(progress) }
    const input = { prompt: 'greeting', contains: ['Ada'], matches: ['^Hello'], maxLength: 20 }
    const results = await runOperation(app, 'prompts.runTests', input, options)
    expect(results).toMatchObject([
      { createdBy: 'ada', fields: { passed: true, scores: { contains: 100, regex: 100, length: 100 } } },
      { fields: { passed: false, scores: { contains: 0, regex: 100, length: 100 } } },
    ])
    expect(seen).toMatchObject([{ done: 1, total: 2 }, { done: 2 }])
    const stored = (await run('listResults', { prompt: 'greeting' })) as unknown[]
    expect(stored).toHaveLength(2)
    expect(stored).toEqual(expect.arrayContaining(results as unknown[]))
    await expect(run('runTests', { prompt: 'greeting' })).rejects.toMatchObject({ code: 'EVALUATOR_INVALID' })
    await expect(run('runTests', { prompt: 'greeting', matches: ['('] })).rejects.toMatchObject({
      code: 'EVALUATOR_INVALID',
    })
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const cancelled = runOperation(app, 'prompts.runTests', input, { signal: controller.signal, onProgress })
    await expect(cancelled).rejects.toMatchObject({ code: 'RUN_CANCELLED' })
    expect(await run('listResults', { prompt: 'greeting' })).toHaveLength(2)
  })

  it('compare by assertions, or by stored results once both have some', async () => {
    await run('addVersion', { prompt: 'greeting', content: 'Good day, {{name}}.' })
    await run('addTest', { id: 'test', prompt: 'greeting', inputVariables: { name: 'Ada' } })
    const comparison = await run('compare', { a: 'Greeting', b: 1, maxLength: 12 })
    expect(comparison).toMatchObject({ dimensions: [{ dimension: 'length', meanDifference: -100 }] })
    await expect(run('compare', { a: 'Greeting', b: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await run('recordResult', { prompt: 'Greeting', test: 'test', scores: { tone: 90 }, passed: true })
    await expect(run('compare', { a: 'Greeting', b: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await run('recordResult', { prompt: 'Greeting', version: 1, test: 'test', scores: { tone: 70 }, passed: true })
    expect(await run('compare', { a: 'Greeting', b: 'v1' })).toMatchObject({
      dimensions: [{ dimension: 'tone', n: 1, meanDifference: -20 }],
    })
  })

  it('bind agents and say what they run with', async () => {
    const agent = await app.create('agent', { title: 'Ada', fields: {} })
    expect(await run('systemPrompt', { agent: agent.id })).toEqual({ text: null })
    await run('bindAgent', { agent: agent.id, prompt: 'Greeting', variables: { name: 'Bob' } })
    expect(await run('systemPrompt', { agent: agent.id })).toEqual({ text: 'Hello Bob!' })
    expect(await run('unbindAgent', { agent: agent.id })).toEqual({ unbound: true })
    expect(await run('unbindAgent', { agent: agent.id })).toEqual({ unbound: false })
  })

  it('refuse input that does not fit, and change nothing', async () => {
    for (const [name, input] of [
      ['create', { title: '', content: 'x' }],
      ['create', { title: 'x', content: 'x', colour: 'red' }],
      ['create', { title: 'x', content: '{{#if a}}' }],
      ['render', { prompt: 'greeting' }],
      ['setVariable', { prompt: 'greeting', name: 'two words' }],
      ['recordResult', { prompt: 'greeting', test: 'x', scores: { tone: 101 }, passed: true }],
    ] as const) {
      await expect(run(name, input), name).rejects.toMatchObject({ code: expect.any(String) })
    }
    expect(await app.count()).toBe(1)
  })
})
