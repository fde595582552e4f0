import { describe, expect, it } from 'vitest'
import { randomFrom } from '../src/compare/random.js'
import { type AnswerCache, cachedAnswer, type GateReport, judgeDimensions } from '../src/index.js'
import { gateAnnotations, gateHtml, gateJunit, gateMarkdown } from '../src/reports/index.js'
import { backends, openStore } from './stores.js'

/** Scores around a mean that is the same for a test on both sides, with differences of a given deviation. */
function simulated(seed: number, n: number, shift: number, sigma: number, dimensions: readonly string[]) {
  const random = randomFrom(seed)
  const uniform = () => (random() + 0.5) / 2 ** 32
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  const score = (value: number) => Math.max(0, Math.min(100, Math.round(value)))
  return Array.from({ length: n }, () => {
    const pair = dimensions.map((dimension) => {
      const level = 60 + 8 * normal()
      const noise = sigma / Math.SQRT2
      return [dimension, score(level + noise * normal()), score(level + shift + noise * normal())] as const
    })
    return {
      a: Object.fromEntries(pair.map(([name, a]) => [name, a])),
      b: Object.fromEntries(pair.map(([name, , b]) => [name, b])),
    }
  })
}

const share = (runs: number, regressed: (seed: number) => boolean) =>
  Array.from({ length: runs }, (_, seed) => regressed(seed + 1)).filter(Boolean).length / runs

const hasRegressed = (pairs: ReturnType<typeof simulated>) =>
  judgeDimensions(pairs).some(({ verdict }) => verdict === 'regressed')

describe('statistics', () => {
  it('raises a false alarm in at most 5 % of 1,000 runs where nothing changed', () => {
    expect(share(1000, (seed) => hasRegressed(simulated(seed, 60, 0, 12, ['tone'])))).toBeLessThanOrEqual(0.05)
    const several = ['tone', 'truth', 'length']
    expect(share(1000, (seed) => hasRegressed(simulated(seed, 20, 0, 12, several)))).toBeLessThanOrEqual(0.05)
  }, 120_000)

  it('notices 5 points at a deviation of 12 on 60 tests in at least 80 %', () => {
    expect(share(1000, (seed) => hasRegressed(simulated(seed, 60, -5, 12, ['tone'])))).toBeGreaterThanOrEqual(0.8)
  }, 120_000)

  it('passes what is the same, and asks for more tests where a few say too little', () => {
    const pair = (a: number, b: number) => ({ a: { x: a }, b: { x: b } })
    const verdict = (pairs: ReturnType<typeof pair>[]) => judgeDimensions(pairs)[0]?.verdict
    expect(verdict([pair(50, 50)])).toBe('passed')
    expect(verdict([pair(50, 70), pair(50, 50)])).toBe('passed')
    expect(verdict([pair(50, 20), pair(50, 50), pair(60, 60)])).toBe('inconclusive')
    expect(verdict(Array.from({ length: 12 }, () => pair(80, 60)))).toBe('regressed')
  })
})

describe.each(backends)('a gate on %s', (_, create) => {
  async function open() {
    const { prompts } = await openStore(create())
    await prompts.create({ title: 'Bot', content: 'Dear {{name}}, hello.' })
    for (const name of ['Ada', 'Bo', 'Cy']) {
      await prompts.tests.create('bot', { title: name, inputVariables: { name }, assertions: { contains: [name] } })
    }
    return prompts
  }

  it('passes, regresses by one test that fails now, and is not comparable', async () => {
    const prompts = await open()
    await prompts.addVersion('bot', { content: 'Hi {{name}}.' })
    expect(await prompts.gate('bot')).toMatchObject({ status: 'passed', exitCode: 0, exact: true })
    await prompts.addVersion('bot', { content: 'Hi {{#if vip}}{{name}}{{/if}}.' })
    const report = await prompts.gate('bot')
    expect(report).toMatchObject({
      status: 'regressed',
      exitCode: 1,
      baseline: { version: 0 },
      candidate: { version: 2 },
    })
    expect(report.cases[0]).toMatchObject({ title: 'Ada', change: 'worse', candidate: { output: 'Hi .' } })
    expect(await prompts.gate('bot', { baseline: 'staging' })).toMatchObject({ status: 'incomparable', exitCode: 3 })
    expect(await prompts.gate('bot', { baseline: 7 })).toMatchObject({ exitCode: 3 })
    await prompts.create({ title: 'None', content: 'x' })
    expect(await prompts.gate('none')).toMatchObject({ exitCode: 3, reason: expect.stringContaining('no tests') })
    expect(await prompts.tests.results('bot')).toEqual([])
  })

  it('regresses by a test that can no longer be rendered', async () => {
    const prompts = await open()
    await prompts.addVersion('bot', { content: 'Dear {{name}} of {{place}}' })
    expect(await prompts.gate('bot')).toMatchObject({
      status: 'regressed',
      reason: expect.stringContaining('cannot be rendered'),
    })
  })

  it('lets statistics decide where a model answers, golden tests by themselves, and says when it cannot tell', async () => {
    const { prompts } = await openStore(create())
    await prompts.create({ title: 'Bot', content: 'Dear {{name}}, hello.' })
    await prompts.addVersion('bot', { content: 'Hi {{name}}.' })
    const addTests = async (count: number) => {
      for (let index = 0; index < count; index++) await prompts.tests.create('bot', { inputVariables: { name: 'Ada' } })
    }
    const gate = (worse: number) =>
      prompts.gate('bot', {
        answer: (text) => (text.startsWith('Hi') ? String(80 - worse) : '80'),
        evaluate: (_text, { output = '' }) => ({ scores: { tone: Number(output) }, passed: true }),
        repeat: 2,
      })
    await addTests(3)
    expect(await gate(0)).toMatchObject({ status: 'passed', exitCode: 0, exact: false })
    expect(await gate(20)).toMatchObject({ status: 'inconclusive', exitCode: 2 })
    await addTests(9)
    expect(await gate(20)).toMatchObject({
      status: 'regressed',
      exitCode: 1,
      reason: 'It got worse in tone by 20.0 points.',
    })
    expect(await gate(-20)).toMatchObject({ status: 'passed' })
    await prompts.tests.create('bot', {
      title: 'G',
      inputVariables: { name: 'Di' },
      assertions: { contains: ['80'] },
      golden: true,
    })
    expect(await gate(-1)).toMatchObject({ status: 'regressed', reason: 'Golden test "G" fails.' })
  })

  it('keeps what was answered when a judge fails half-way, says where, and does not ask again', async () => {
    const prompts = await open()
    const kept = new Map<string, unknown>()
    const cache: AnswerCache = {
      get: async (key) => kept.get(key) as never,
      set: async (key, value) => void kept.set(key, value),
    }
    let asked = 0
    const answer = cachedAnswer(
      (text) => {
        asked += 1
        if (asked === 2) throw new Error('The model is down')
        return `${text} yes`
      },
      cache,
      'm1',
    )
    await expect(prompts.gate('bot', { answer, concurrency: 1 })).rejects.toMatchObject({
      code: 'EVALUATION_FAILED',
      message: expect.stringMatching(/Test "Bo" on version 0 .*The model is down/),
      details: { done: 2, total: 6 },
    })
    // Baseline and candidate are the same text, so one answer serves both.
    expect(kept.size).toBe(1)
    asked = 10
    expect(await prompts.gate('bot', { answer })).toMatchObject({ status: 'passed' })
    expect(asked - 10).toBe(2)
  })
})

const hostile = `</pre><script>alert(1)</script> ::error:: | <b>\n\u0000"'&`
const report: GateReport = {
  status: 'regressed',
  exitCode: 1,
  reason: `Because ${hostile}`,
  prompt: { id: 'p', name: 'bot', title: 'Bot' },
  baseline: { id: 'p', version: 0, named: 'production' },
  candidate: { id: 'v', version: 1, named: 'latest' },
  exact: false,
  dimensions: [
    {
      dimension: 'tone|x',
      n: 3,
      meanBaseline: 80,
      meanCandidate: 70,
      meanDifference: -10,
      confidenceInterval: [-12, -8],
      adjustedPValue: 0.01,
      verdict: 'regressed',
    },
  ],
  cases: [
    {
      testId: 't',
      title: hostile,
      golden: true,
      change: 'failed',
      baseline: { passed: true, scores: { tone: 80 }, output: 'before' },
      candidate: { passed: false, scores: { tone: 70 }, output: hostile },
    },
    {
      testId: 'u',
      title: 'fine',
      golden: false,
      change: 'same',
      baseline: { passed: true, scores: {}, output: 'a' },
      candidate: { passed: true, scores: {}, output: 'a' },
    },
  ],
}

describe('reports', () => {
  it('write one HTML page without scripts, outputs side by side', () => {
    const html = gateHtml([report])
    expect(html).not.toMatch(/<script|src=|href=/)
    expect(html).not.toContain('\u0000')
    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html).toMatch(/before<\/pre>[\s\S]*&lt;\/pre&gt;/)
  })

  it('write JUnit that counts what fails', () => {
    const xml = gateJunit([report])
    expect(xml).toContain('tests="3" failures="2"')
    expect(xml).not.toContain('<script')
    expect(xml).not.toContain('\u0000')
    expect(xml.match(/<failure /g)).toHaveLength(2)
  })

  it('write annotations of one line each, which no text can break out of', () => {
    const lines = gateAnnotations([report]).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/^::error title=/)
  })

  it('write Markdown whose tables no text can break', () => {
    const markdown = gateMarkdown([report])
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '))
    expect(rows.map((row) => row.replace(/\\\|/g, '').split('|').length)).toEqual([9, 9, 5, 5])
    expect(markdown).not.toContain('<script')
  })
})
