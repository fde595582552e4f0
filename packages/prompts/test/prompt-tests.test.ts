import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Evaluate, evaluators, PromptScorer, promptResultType } from '../src/index.js'
import { backends, openStore } from './stores.js'

describe.each(backends)('tests on %s', (_, create) => {
  async function withTests(count: number) {
    const store = await openStore(create())
    const { prompts } = store
    const prompt = await prompts.create({ title: 'P', content: 'Hi {{name}}' })
    const tests = []
    for (let index = 0; index < count; index++) {
      tests.push(
        await prompts.tests.create(prompt.id, { inputVariables: { name: `N${index}` }, scoringDimensions: ['tone'] }),
      )
    }
    return { ...store, prompt, tests, ids: tests.map(({ id }) => id) }
  }

  it('record a result with everything that was said of it', async () => {
    const { client, prompts, prompt, tests } = await withTests(1)
    const [test] = tests
    const version = await prompts.addVersion(prompt.id, { content: 'Hello {{name}}' })
    const result = await prompts.tests.run(
      version.id,
      test?.id ?? '',
      {
        scores: { tone: 80, extra: 100 },
        passed: true,
        output: 'Good day',
        model: 'large-3',
        tokens: { input: 5, output: 7 },
        cost: 0.002,
        latency: 120,
        metadata: { temperature: 0.2 },
      },
      { by: 'judge' },
    )
    expect(result).toMatchObject({ minionTypeId: promptResultType.id, createdBy: 'judge' })
    expect(result.fields).toEqual({
      renderedPrompt: 'Hello N0',
      output: 'Good day',
      scores: { tone: 80, extra: 100 },
      passed: true,
      metadata: {
        model: 'large-3',
        tokens: { input: 5, output: 7 },
        cost: 0.002,
        latency: 120,
        temperature: 0.2,
        versionId: version.id,
        contentHash: createHash('sha256').update('Hello {{name}}').digest('hex'),
      },
    })
    const references = await client.relations(result.id, { direction: 'outgoing', type: 'references' })
    expect(references.map(({ targetId }) => targetId).sort()).toEqual([test?.id, version.id].sort())
    expect(await prompts.tests.results(version.id)).toEqual([result])
    expect(await prompts.tests.results(test?.id ?? '')).toEqual([result])
    expect(await prompts.tests.results(prompt.id)).toEqual([])
    const partOf = await client.relations(test?.id ?? '', { direction: 'outgoing', type: 'part_of' })
    expect(partOf.map(({ targetId }) => targetId)).toEqual([prompt.id])
    await client.close()
  })

  it.each([
    ['250', { scores: { tone: 250 }, passed: true }],
    ['NaN', { scores: { tone: Number.NaN }, passed: true }],
    ['-1', { scores: { tone: -1 }, passed: true }],
    ['a fraction', { scores: { tone: 1.5 }, passed: true }],
    ['a missing dimension', { scores: { other: 1 }, passed: true }],
    ['no verdict', { scores: { tone: 1 } }],
    ['nothing', null],
  ])('refuse %s as a score and write nothing', async (_case, evaluation) => {
    const { client, prompts, prompt, ids } = await withTests(1)
    const count = await client.count()
    const run = prompts.tests.run(prompt.id, ids[0] ?? '', evaluation as never)
    await expect(run).rejects.toMatchObject({ code: 'SCORES_INVALID' })
    await expect(prompts.tests.runAll(prompt.id, () => evaluation as never)).rejects.toMatchObject({
      code: 'SCORES_INVALID',
    })
    expect(await client.count()).toBe(count)
    await client.close()
  })

  it('refuse unknown tests, tests of other prompts and things that are no test', async () => {
    const { client, prompts, prompt, ids } = await withTests(1)
    const other = await prompts.create({ title: 'Q', content: 'q' })
    const foreign = await prompts.tests.create(other.id, { inputVariables: {} })
    const count = await client.count()
    const scorer = new PromptScorer(client)
    const good = { scores: { tone: 1 }, passed: false }
    await expect(scorer.score(prompt.id, 'nobody', good)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(scorer.score(prompt.id, foreign.id, good)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(scorer.score(prompt.id, prompt.id, good)).rejects.toMatchObject({ code: 'PROMPT_TYPE_MISMATCH' })
    await expect(scorer.score('nobody', ids[0] ?? '', good)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(prompts.tests.create(prompt.id, { inputVariables: [] as never })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const broken = await prompts.tests.create(prompt.id, { inputVariables: { nam: 1 } })
    await expect(scorer.score(prompt.id, broken.id, good)).rejects.toMatchObject({ missingVariables: ['name'] })
    expect(await client.count()).toBe(count + 1)
    await client.close()
  })

  it('run all at once within bounds, in order, and tell how far they are', async () => {
    const { client, prompts, prompt, ids } = await withTests(7)
    let running = 0
    let most = 0
    const evaluate: Evaluate = async (rendered, { test }) => {
      running += 1
      most = Math.max(most, running)
      // Later tests end first.
      for (let turn = Number(String(test.fields.inputVariables).length); turn < 30; turn += 7) await Promise.resolve()
      await new Promise((resolve) => setTimeout(resolve, rendered === 'Hi N0' ? 8 : 1))
      running -= 1
      return { scores: { tone: 50 }, passed: rendered !== 'Hi N3' }
    }
    const progress: number[] = []
    const results = await prompts.tests.runAll(prompt.id, evaluate, {
      concurrency: 3,
      onProgress: ({ done, total }) => progress.push(done / total),
    })
    expect(most).toBe(3)
    expect(results.map(({ fields }) => fields.renderedPrompt)).toEqual(ids.map((_id, index) => `Hi N${index}`))
    expect(results.map(({ fields }) => fields.passed)).toEqual([true, true, true, false, true, true, true])
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7].map((done) => done / 7))
    expect(await prompts.tests.results(prompt.id)).toHaveLength(7)
    const some = await prompts.tests.runAll(prompt.id, evaluators.contains('N2', { dimension: 'tone' }), {
      tests: [ids[2] ?? '', ids[5] ?? ''],
    })
    expect(some.map(({ fields }) => fields.passed)).toEqual([true, false])
    await expect(prompts.tests.runAll(prompt.id, evaluate, { concurrency: 0 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await client.close()
  })

  it('write nothing when one fails or the run is cancelled', async () => {
    const { client, prompts, prompt } = await withTests(4)
    let begun = 0
    const failing: Evaluate = async (rendered) => {
      begun += 1
      if (rendered === 'Hi N1') throw new Error('no answer')
      return { scores: { tone: 1 }, passed: true }
    }
    await expect(prompts.tests.runAll(prompt.id, failing, { concurrency: 1 })).rejects.toThrow('no answer')
    expect(begun).toBe(2)

    const controller = new AbortController()
    let told = false
    const stuck: Evaluate = (_rendered, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          told = true
          reject(new Error('stopped'))
        })
        controller.abort(new Error('enough'))
      })
    const run = prompts.tests.runAll(prompt.id, stuck, { signal: controller.signal })
    await expect(run).rejects.toMatchObject({ code: 'RUN_CANCELLED', cause: new Error('enough') })
    expect(told).toBe(true)
    const late = prompts.tests.runAll(prompt.id, failing, { signal: controller.signal })
    await expect(late).rejects.toMatchObject({ code: 'RUN_CANCELLED' })
    expect(begun).toBe(2)
    expect(await prompts.tests.results(prompt.id)).toEqual([])
    await client.close()
  })
})

describe.each(backends)('comparing prompts on %s', (_, create) => {
  it('gives the same verdict by a judge, by stored results and by scores', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'Hi {{name}}' })
    const better = await prompts.addVersion(prompt.id, { content: 'Hello dear {{name}}' })
    for (let index = 0; index < 8; index++) {
      await prompts.tests.create(prompt.id, {
        inputVariables: { name: 'x'.repeat(index) },
        scoringDimensions: ['tone'],
      })
    }
    const evaluate: Evaluate = (rendered) => ({ scores: { tone: Math.min(100, rendered.length * 3) }, passed: true })
    const judged = await prompts.compare(prompt.id, better.id, { evaluate, seed: 7 })
    expect(judged).toMatchObject({ verdict: 'b', seed: 7, dimensions: [{ dimension: 'tone', n: 8 }] })
    expect(await prompts.tests.results(prompt.id)).toEqual([])
    expect(await prompts.compare(prompt.id, better.id, { evaluate, seed: 7 })).toEqual(judged)

    const a = await prompts.tests.runAll(prompt.id, evaluate)
    const b = await prompts.tests.runAll(better.id, evaluate)
    const pairs = a.map((result, index) => ({ a: result.fields.scores, b: b[index]?.fields.scores }))
    for (const results of [{ a, b }, [...a, ...b], [...b, ...a].map(({ id }) => id), pairs]) {
      expect(await prompts.compare(prompt.id, better.id, { results: results as never, seed: 7 })).toEqual(judged)
    }
    const tests = (await prompts.tests.list(prompt.id)).slice(0, 5).map(({ id }) => id)
    const fewer = await prompts.compare(prompt.id, better.id, { results: { a, b }, tests })
    expect(fewer).toMatchObject({ verdict: 'inconclusive', dimensions: [{ n: 5 }] })
    await client.close()
  })

  it('refuses what cannot be compared', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const compare = (options: object) => prompts.compare(prompt.id, prompt.id, options as never)
    await expect(compare({})).rejects.toMatchObject({ code: 'COMPARISON_INVALID' })
    await expect(compare({ results: [] })).rejects.toMatchObject({ code: 'COMPARISON_INVALID' })
    await expect(compare({ results: ['nobody'] })).rejects.toMatchObject({ code: 'COMPARISON_INVALID' })
    await expect(compare({ evaluate: () => ({ scores: {}, passed: true }) })).rejects.toMatchObject({
      code: 'COMPARISON_INVALID',
    })
    await expect(compare({ results: [{ a: { x: 250 }, b: { x: 1 } }] })).rejects.toMatchObject({
      code: 'SCORES_INVALID',
    })
    await client.close()
  })
})
