import type { JsonObject } from '@minions/core/json'
import type { ModelRequest } from '@minions/core/plugin'
import type { Models } from '../door/models.js'
import { nameOf } from '../provider/language-model.js'
import type { CachedAnswer } from './answer-cache.js'

/** Calls a model unless the store has the answer. `repeat` distinguishes answers to the same request. */
export function askCached(
  models: Models,
  { signal, onText: _, ...request }: ModelRequest,
  repeat = 0,
): Promise<CachedAnswer & { readonly cached: boolean }> {
  const { role: _role, ...content } = request
  // A request is JSON by its schema, which its interfaces do not tell the compiler.
  const key = { ...content, model: nameOf(models.modelFor(request.role)), repeat } as unknown as JsonObject
  return models.answers.through(key, async () => {
    const { text, model, usage, cost } = await models.ask({ ...request, ...(signal && { signal }) })
    return { text, model, tokens: usage.totalTokens, ...(cost !== undefined && { cost }) }
  })
}
