import { createHook } from 'node:async_hooks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineSkill, NonRetryableError } from '../../src/index.js'
import { backends } from '../support/backends.js'
import { setUp } from '../support/runtime.js'

/** What an attempt does: return at once or later, also with work for the commit; fail, or fail for good. */
const DEEDS = ['return', 'resolve', 'commit', 'throw', 'reject', 'refuse'] as const
type Deed = (typeof DEEDS)[number]

interface Plan {
  readonly deeds: readonly Deed[]
  readonly maxRetries: number
}

const plans = fc.record({
  deeds: fc.array(fc.constantFrom(...DEEDS), { minLength: 1, maxLength: 4 }),
  maxRetries: fc.integer({ min: 0, max: 3 }),
})

/** What becomes of a plan, told without an engine. */
function expected({ deeds, maxRetries }: Plan) {
  for (let retries = 0; ; retries++) {
    const deed = deeds[Math.min(retries, deeds.length - 1)] as Deed
    const fails = ['throw', 'reject', 'refuse'].includes(deed)
    if (fails && deed !== 'refuse' && retries < maxRetries) continue
    return {
      state: fails ? 'failed' : 'completed',
      error: fails ? deed : null,
      results: fails ? {} : { act: { deed, attempt: retries + 1 } },
      status: fails ? 'failed' : 'success',
      retry_count: retries,
      commits: deed === 'commit' ? 1 : 0,
    }
  }
}

/** Where keeping a record takes no disk: the way of what is stored, and of what is not. */
const inMemory = backends.filter(({ name }) => ['no persistence', 'memory'].includes(name))

describe.each(inMemory)('random executions with $name', (backend) => {
  it.each([1, 10, 60])('end as a plain loop says, %i at once', async (size) => {
    await fc.assert(
      fc.asyncProperty(fc.array(plans, { minLength: size, maxLength: size }), async (each) => {
        const commits = new Map<string, number>()
        const act = defineSkill({
          name: 'act',
          version: '1.0.0',
          parameters_schema: { type: 'object' },
          execute(params, context): object | Promise<object> {
            const deeds = params.deeds as Deed[]
            const deed = deeds[Math.min(context.attempt, deeds.length) - 1] as Deed
            const { agentId } = context
            if (deed === 'commit') context.onCommit(() => () => commits.set(agentId, (commits.get(agentId) ?? 0) + 1))
            if (deed === 'throw') throw new Error(deed)
            if (deed === 'refuse') throw new NonRetryableError(deed)
            if (deed === 'reject') return Promise.reject(new Error(deed))
            const result = { deed, attempt: context.attempt }
            return deed === 'resolve' ? Promise.resolve(result) : result
          },
        })
        const { manager, clock } = await setUp(backend, [act], { limits: { agents: 7 } })
        const outcomes = each.map(({ deeds, maxRetries }, index) =>
          manager.execute('act', { deeds }, { maxRetries, agentId: `agent-${index}` }),
        )
        await clock.until(Promise.allSettled(outcomes))
        for (const [index, plan] of each.entries()) {
          const agentId = `agent-${index}`
          const { state, error, results } = await manager.get(agentId)
          const [execution] = await manager.executions({ agent_id: agentId })
          expect({
            state,
            error,
            results,
            status: execution?.status,
            retry_count: execution?.retry_count,
            commits: commits.get(agentId) ?? 0,
          }).toEqual(expected(plan))
        }
      }),
      { seed: 21, numRuns: size === 1 ? 20 : 3 },
    )
  })
})

it('an execution that is kept nowhere takes few promises', async () => {
  const noOp = defineSkill({
    name: 'no-op',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    execute: async () => ({}),
  })
  const { manager } = await setUp({ name: 'nowhere', location: () => undefined }, [noOp])
  const counts: number[] = []
  for (let run = 0; run < 5; run++) {
    let promises = 0
    const hook = createHook({
      init(_, type) {
        if (type === 'PROMISE') promises += 1
      },
    })
    hook.enable()
    await manager.execute('no-op')
    hook.disable()
    counts.push(promises)
  }
  // Half of what it took when every layer was asynchronous; others may make some while one run is counted.
  expect(Math.min(...counts)).toBeLessThanOrEqual(18)
})
