// @ts-check
/** @import { LanguageModelV4 } from '@ai-sdk/provider' */

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const finishReason = { unified: /** @type {const} */ ('stop'), raw: 'stop' }

/** A model in memory that always says the same, which is JSON so that a judge can read it. @returns {LanguageModelV4} */
export function memoryModel() {
  const text = '{"reason":"Fine.","scores":{"tone":90},"better":"tie"}'
  return {
    specificationVersion: 'v4',
    provider: 'memory',
    modelId: 'echo',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason, usage, warnings: [] }),
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: /** @type {const} */ ('stream-start'), warnings: [] },
        { type: /** @type {const} */ ('text-start'), id: '0' },
        { type: /** @type {const} */ ('text-delta'), id: '0', delta: text },
        { type: /** @type {const} */ ('text-end'), id: '0' },
        { type: /** @type {const} */ ('finish'), finishReason, usage },
      ]),
    }),
  }
}
