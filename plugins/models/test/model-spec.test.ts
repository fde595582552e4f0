import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseModelSpec } from '../src/provider/model-spec.js'
import { fakeServer, modelsApp, question } from './support/app.js'

test('reads the text of a model', () => {
  expect(parseModelSpec('openai-compatible:http://127.0.0.1:11434/v1#llama3:8b')).toEqual({
    kind: 'openai-compatible',
    baseURL: 'http://127.0.0.1:11434/v1',
    modelId: 'llama3:8b',
  })
  expect(parseModelSpec('openai#gpt-5')).toEqual({ kind: 'package', packageName: '@ai-sdk/openai', modelId: 'gpt-5' })
  expect(parseModelSpec('@acme/models#a/b#c')).toEqual({
    kind: 'package',
    packageName: '@acme/models',
    modelId: 'a/b#c',
  })
})

test.each([
  '',
  '#m',
  'openai',
  'openai#',
  '../evil#m',
  'openai-compatible:ftp://x#m',
  'openai-compatible:http://user:sk-secret-123456@x#m',
  'openai-compatible:http://x?key=sk-secret-123456#m',
  7 as unknown as string,
])('refuses %j without repeating it', (text) => {
  let error: unknown
  try {
    parseModelSpec(text)
  } catch (caught) {
    error = caught
  }
  expect(error).toMatchObject({ code: 'MODEL_SPEC_INVALID' })
  expect(String(error)).not.toContain('sk-secret')
})

test('takes the model from the environment, with its key', async () => {
  const server = await fakeServer([{ text: 'local' }])
  const app = await modelsApp({
    environment: { MINIONS_MODEL: `openai-compatible:${server.url}#llama3`, MINIONS_MODEL_API_KEY: 'local-key-1' },
  })
  expect(await app.models.ask(question())).toMatchObject({ text: 'local', model: 'openai-compatible/llama3' })
  expect(server.requests[0]?.headers.authorization).toBe('Bearer local-key-1')
})

test('imports a provider package where the application is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'minions-models-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const home = join(folder, 'node_modules/@acme/fine-models')
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'package.json'), '{"name":"@acme/fine-models","type":"module","exports":"./index.js"}')
  await writeFile(
    join(home, 'index.js'),
    `export const fineModels = (modelId) => ({ specificationVersion: 'v4', provider: 'acme', modelId, supportedUrls: {},
      async doGenerate() { return { content: [{ type: 'text', text: 'fine' }], finishReason: { unified: 'stop' }, warnings: [] } },
      async doStream() { throw new Error('no') } })`,
  )
  const app = await modelsApp({ default: '@acme/fine-models#x', folder })
  expect(await app.models.ask(question())).toMatchObject({ text: 'fine', usage: { estimated: true } })
  await expect(modelsApp({ default: '@acme/none#x', folder })).rejects.toMatchObject({
    cause: { code: 'PROVIDER_MISSING' },
  })
})
