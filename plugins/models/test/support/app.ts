import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createMinions } from '@minions/host'
import { onTestFinished } from 'vitest'
import { type LanguageModel, type ModelsOptions, models } from '../../src/index.js'
import { type FakeModelServer, type FakeModelServerOptions, startFakeModelServer } from '../../src/testing/index.js'

/** A fake server that ends with the test. */
export async function fakeServer(replies: FakeModelServerOptions['replies']): Promise<FakeModelServer> {
  const server = await startFakeModelServer({ replies })
  onTestFinished(() => server.close())
  return server
}

/** A model of the real provider package, on a fake server. */
export function modelOn(server: FakeModelServer, name = 'fake-1', apiKey = 'sk-test-0123456789abcdef'): LanguageModel {
  const provider = createOpenAICompatible({
    name: 'fake',
    baseURL: server.url,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  return provider(name)
}

/** An app with models alone; waits before retries take no time unless told otherwise. */
export async function modelsApp(options: ModelsOptions) {
  const app = await createMinions({
    storage: 'memory:',
    plugins: [models({ environment: {}, random: () => 0, timers: quickTimers, ...options })],
  })
  onTestFinished(() => app.close())
  return app
}

/** Timers under which waits before retries pass a thousand times as fast, and deadlines as usual. */
export const quickTimers = {
  now: () => performance.now() * 1000,
  set(milliseconds: number, callback: () => void): () => void {
    const handle = setTimeout(callback, milliseconds < 60_000 ? milliseconds / 1000 : milliseconds)
    return () => clearTimeout(handle)
  },
}

export const question = (content = 'Hello?') => ({ messages: [{ role: 'user' as const, content }] })
