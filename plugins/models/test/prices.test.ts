import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parsePrices } from '../src/index.js'
import { fakeServer, modelOn, modelsApp, question } from './support/app.js'

/** In the form of the table that LiteLLM publishes. */
const published = JSON.stringify({
  sample_spec: { input_cost_per_token: 0, litellm_provider: 'one of many', mode: 'one of: chat, embedding' },
  'fake-1': {
    litellm_provider: 'fake',
    mode: 'chat',
    input_cost_per_token: 2.5e-6,
    output_cost_per_token: 1e-5,
    cache_read_input_token_cost: 2.5e-7,
    max_tokens: 8192,
  },
  'fake/embedder': { litellm_provider: 'fake', mode: 'embedding', input_cost_per_token: 2e-8 },
  'fake/painter': { litellm_provider: 'fake', mode: 'image_generation', output_cost_per_image: 0.04 },
})

async function priceFile(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'minions-prices-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'prices.json')
  await writeFile(file, content)
  return file
}

test('reads a published table, and one of its own', () => {
  expect(parsePrices(published)).toEqual({
    'fake-1': { input: 2.5, output: 10, cachedInput: 0.25 },
    'fake/embedder': { input: 0.02, output: 0 },
  })
  expect(parsePrices('{"fake/*":{"input":1,"output":2}}')).toEqual({ 'fake/*': { input: 1, output: 2 } })
})

test.each([
  ['no JSON', 'input: 1'],
  ['a list', '[]'],
  ['a price without output', '{"m":{"input":1}}'],
  ['a negative price', '{"m":{"input":-1,"output":1}}'],
  ['a text as price', '{"m":{"input":"1","output":1}}'],
])('refuses %s', (_, text) => {
  expect(() => parsePrices(text)).toThrow(expect.objectContaining({ code: 'PRICES_INVALID' }))
})

test('prices of a file count where the code has none', async () => {
  const server = await fakeServer([{ text: 'ok', usage: { prompt: 1_000_000, completion: 100_000 } }])
  const environment = { MINIONS_MODEL_PRICES: await priceFile(published) }
  const priced = await modelsApp({ default: modelOn(server), environment })
  expect((await priced.models.ask(question())).cost).toBeCloseTo(3.5)
  expect(priced.models.list()).toMatchObject([{ priced: true }])

  const own = { 'fake/*': { input: 1, output: 1 } }
  const extended = await modelsApp({ default: modelOn(server), environment, prices: own })
  expect((await extended.models.ask(question())).cost).toBeCloseTo(1.1)
  const unknown = await modelsApp({ default: modelOn(server, 'other'), environment })
  expect(unknown.models.list()).toMatchObject([{ priced: false }])
})

test('a file that cannot be read stops the app with its name', async () => {
  const server = await fakeServer([])
  const open = (file: string) => modelsApp({ default: modelOn(server), environment: { MINIONS_MODEL_PRICES: file } })
  await expect(open('/nowhere/prices.json')).rejects.toMatchObject({ cause: { code: 'PRICES_INVALID' } })
  await expect(open(await priceFile('{'))).rejects.toMatchObject({ cause: { code: 'PRICES_INVALID' } })
})
