import { guarded, takeOptions } from '@minions/core/plugin'
import type { Answer } from '@minions/prompts'
import type { Models } from '../door/models.js'
import { askCached } from './cached-ask.js'

export interface AnswerOptions {
  /** Role whose model answers; without it, the default model. */
  readonly role?: string
  readonly temperature?: number
  readonly maxTokens?: number
  /** Which of several answers to the same request; 0 by default. */
  readonly repeat?: number
}

/** A model that answers prompts in tests: `prompts.tests.runAll(prompt, evaluate, { answer: answerWith(models) })`. */
export const answerWith = guarded('answerWith', (models: Models, options: AnswerOptions = {}): Answer => {
  const { repeat = 0, ...settings } = takeOptions('The options of answerWith', options)
  return async (renderedPrompt, { signal }) => {
    const began = performance.now()
    const messages = [{ role: 'user' as const, content: renderedPrompt }]
    const { text, model, tokens, cost, cached } = await askCached(models, { messages, signal, ...settings }, repeat)
    return {
      output: text,
      model,
      tokens,
      ...(cost !== undefined && { cost }),
      ...(!cached && { latency: Math.round(performance.now() - began) }),
      metadata: { cached, repeat },
    }
  }
})
