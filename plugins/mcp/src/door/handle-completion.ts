import type { DoorServer } from './door-server.js'
import type { PromptProvider, ResourceProvider } from './features.js'
import type { CallOf } from './mcp-call.js'
import { refused } from './refused.js'

/** Maximum number of values that a completion may hold. */
const MOST_VALUES = 100

/** Completes the arguments of prompts and the variables of resource templates. */
export function handleCompletion(
  server: DoorServer,
  callOf: CallOf,
  resources: readonly ResourceProvider[],
  prompts: readonly PromptProvider[],
): void {
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, request) => {
    const call = callOf(request)
    const { name, value } = argument
    const attempts =
      ref.type === 'ref/prompt'
        ? prompts.map((each) => () => each.complete?.(ref.name, name, value, call))
        : resources.map((each) => () => each.complete?.(ref.uri, name, value, call))
    for (const attempt of attempts) {
      const values = await refused(async () => attempt())
      if (values === undefined) continue
      return {
        completion: {
          values: values.slice(0, MOST_VALUES),
          total: values.length,
          hasMore: values.length > MOST_VALUES,
        },
      }
    }
    return { completion: { values: [], total: 0, hasMore: false } }
  })
}
