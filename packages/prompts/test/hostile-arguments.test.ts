import { memoryStorage } from '@minions/core/memory'
import { expect, it } from 'vitest'
import {
  asLabels,
  checkEvaluation,
  evaluators,
  judgeDimensions,
  PromptsApi,
  printTemplate,
  readCsv,
  readJsonl,
} from '../src/index.js'
import { gateJunit } from '../src/reports/index.js'
import { openStore } from './stores.js'

const holes = new Array(2 ** 32 - 1)
const long = 'x'.repeat(50_000_000)
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
const endless = {
  *[Symbol.iterator]() {
    for (;;) yield 'x'
  },
}

/** Calls with arguments that the compiler would refuse. */
const calls: Readonly<Record<string, () => unknown>> = {
  'checkEvaluation, dimensions without end': () => checkEvaluation({ scores: {}, passed: true }, endless as never),
  'judgeDimensions, options that cannot be read': () => judgeDimensions([], revoked),
  'an evaluator, what is like a long text': () => evaluators.length({ max: 5 })({ length: 2 ** 32 - 1 } as never),
  'new PromptsApi, parts that cannot be read': () => new PromptsApi({} as never, revoked),
  'printTemplate, nodes without end': () => printTemplate(endless as never),
  'printTemplate, a long text': () => printTemplate([{ type: 'text', text: long }] as never),
  'asLabels, a text for a target': () => asLabels({} as never, [{ targets: [long] }] as never),
  'gateJunit, a list of holes': () => gateJunit([{ cases: holes }] as never),
  'readCsv, what has no pieces': () => readCsv(new URL('file:///a') as never).next(),
  'readJsonl, pieces that are not texts': () => readJsonl(Buffer.from('text') as never).next(),
}

it.each(Object.keys(calls))('%s is refused', async (name) => {
  await expect((async () => calls[name]?.())()).rejects.toMatchObject({ name: 'MinionsError' })
})

it('a line of a data set that does not end is refused', async () => {
  await expect(readJsonl(endless).next()).rejects.toMatchObject({ code: 'DATASET_INVALID' })
})

it('prompts of a store refuse what is not a version, a prompt or facts', async () => {
  const { prompts } = await openStore(memoryStorage())
  const { id } = await prompts.create({ title: 'Greeting', content: 'Hello' })
  const refused = { code: 'VALIDATION_FAILED' }
  // biome-ignore lint/suspicious/noThenProperty: a thenable is the point.
  await expect(prompts.resolve(id, { then() {} } as never)).rejects.toMatchObject(refused)
  const endlessly = { requiredVariables: endless as never }
  await expect(prompts.render(id, {}, endlessly)).rejects.toMatchObject(refused)
  const evaluate = () => ({ scores: {}, passed: true })
  await expect(prompts.tests.runAll(null as never, evaluate)).rejects.toMatchObject(refused)
  const concurrency = [Symbol('a')] as never
  await expect(prompts.tests.runAll(id, evaluate, { concurrency })).rejects.toMatchObject(refused)
  const outcome = { scores: {}, passed: true, metadata: long }
  await expect(prompts.labels.record(id, 'latest', 'key', outcome as never)).rejects.toMatchObject(refused)
})
