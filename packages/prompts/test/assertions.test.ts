import { describe, expect, it } from 'vitest'
import { type Answer, type Assertions, evaluators, summaryLine, summaryOf } from '../src/index.js'
import { backends, openStore } from './stores.js'

describe.each(backends)('tests that hold their assertions on %s', (_, create) => {
  async function withTests(...assertions: readonly Assertions[]) {
    const store = await openStore(create())
    const prompt = await store.prompts.create({ title: 'P', content: 'Hi {{name}}' })
    for (const [index, asserted] of assertions.entries()) {
      const input = { title: `T${index}`, inputVariables: { name: 'Ada' }, assertions: asserted }
      await store.prompts.tests.create(prompt.id, input)
    }
    return { ...store, prompt }
  }

  it('judge the rendered prompt, and are counted', async () => {
    const { client, prompts, prompt } = await withTests(
      { contains: ['Ada'], maxLength: 6 },
      { equals: 'Hi Ada' },
      { notContains: ['Hi', 'Bo'] },
      { matches: ['^Hi'], minLength: 3 },
    )
    const results = await prompts.tests.runAll(prompt.id)
    expect(results.map(({ fields }) => fields.passed)).toEqual([true, true, false, true])
    expect(results.map(({ fields }) => fields.scores)).toEqual([
      { contains: 100, length: 100 },
      { equality: 100 },
      { notContains: 50 },
      { regex: 100, length: 100 },
    ])
    expect(summaryLine(summaryOf(results))).toBe('3 passed, 1 failed')
    expect(await prompts.tests.results(prompt.id)).toEqual(results)
    await client.close()
  })

  it('judge the answer where there is one, together with a judge', async () => {
    const { client, prompts, prompt } = await withTests({ contains: ['day'] }, { contains: ['Hi'] })
    const answer: Answer = async (rendered, { signal, test }) => {
      expect([rendered, signal.aborted, test.fields.inputVariables]).toEqual(['Hi Ada', false, { name: 'Ada' }])
      return { output: 'Good day', model: 'large-3', tokens: 7 }
    }
    const answered = await prompts.tests.runAll(prompt.id, undefined, { answer })
    expect(answered.map(({ fields }) => fields.passed)).toEqual([true, false])
    expect(answered[0]?.fields).toMatchObject({ output: 'Good day', metadata: { model: 'large-3', tokens: 7 } })
    const judged = await prompts.tests.runAll(
      prompt.id,
      (_rendered, { output = '' }) => evaluators.contains(['Good', 'morning'])(output),
      { answer: () => 'Good day' },
    )
    expect(judged.map(({ fields }) => [fields.passed, fields.scores])).toEqual([
      [false, { contains: 50 }],
      [false, { contains: 0 }],
    ])
    const [single] = await prompts.tests.list(prompt.id)
    expect((await prompts.tests.run(prompt.id, single?.id ?? '')).fields.passed).toBe(false)
    await client.close()
  })

  it('say when there is nothing to judge by, or what was said cannot be used', async () => {
    const { client, prompts, prompt } = await withTests({})
    await expect(prompts.tests.runAll(prompt.id)).rejects.toMatchObject({
      code: 'EVALUATOR_INVALID',
      message: expect.stringContaining('"T0"'),
    })
    const answer = (() => 5) as unknown as Answer
    await expect(prompts.tests.runAll(prompt.id, undefined, { answer })).rejects.toMatchObject({
      code: 'EVALUATOR_INVALID',
    })
    for (const assertions of [{ matches: ['('] }, { contains: 'x' }, { jsonSchema: { type: 'nothing' } }, 5]) {
      const input = { inputVariables: {}, assertions: assertions as Assertions }
      await expect(prompts.tests.create(prompt.id, input)).rejects.toMatchObject({ code: 'EVALUATOR_INVALID' })
    }
    expect(await prompts.tests.list(prompt.id)).toHaveLength(1)
    expect(await prompts.tests.results(prompt.id)).toEqual([])
    await client.close()
  })
})

it('a summary says what there is', () => {
  const results = (...verdicts: boolean[]) => verdicts.map((passed) => ({ fields: { passed } }))
  expect([[], [true], [false, false], [true, false]].map((list) => summaryLine(summaryOf(results(...list))))).toEqual([
    'no tests',
    '1 passed',
    '2 failed',
    '1 passed, 1 failed',
  ])
})
