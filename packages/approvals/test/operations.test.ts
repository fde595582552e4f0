import { operationsOf, runExample, runOperation } from '@minions/core/operations'
import { describe, expect, test } from 'vitest'
import { createApp, search } from './support/app.ts'

const app = await createApp()
const examples = [...operationsOf(app).values()]
  .filter(({ plugin }) => plugin === '@minions/approvals')
  .flatMap(({ value }) => (value.examples ?? []).map((example) => [value.name, example.title, value, example] as const))
await app.close()

describe('operations', () => {
  test.each(examples)('%s: %s', async (_name, _title, operation, example) => {
    const own = await createApp({ rules: [] })
    try {
      await runExample(own, operation, example)
    } finally {
      await own.close()
    }
  })

  test('decisions need the access to approve, and a caller who says who it is', async () => {
    const own = await createApp()
    const { approval_id } = await own.approvals.ask(search('a'), 'x')
    const run = (options: object) =>
      runOperation(own, 'approvals.approve', { approval: approval_id }, options).catch((error) => error.code)
    expect(await run({ by: 'ada', access: 'write' })).toBe('FORBIDDEN')
    expect(await run({ access: 'approve' })).toBe('FORBIDDEN')
    expect(await run({ by: 'ada', access: 'approve', tenant: 'other', confined: true })).toBe('NOT_FOUND')
    expect(await run({ by: 'ada', access: 'approve', tenant: 'acme', confined: true })).toMatchObject({
      status: 'approved',
    })
    await own.close()
  })
})

describe('tests of a policy', () => {
  const rulesOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `r${index}`, action: 'deny' as const, call: `c${index}` }))
  const testsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      title: `t${index}`,
      call: { kind: 'tool' as const, name: 'x' },
      expect: 'allow' as const,
    }))

  test('let others go on meanwhile', async () => {
    const own = await createApp()
    let turns = 0
    let next: NodeJS.Immediate | undefined
    const tick = () => {
      turns++
      next = setImmediate(tick)
    }
    tick()
    const input = { rules: rulesOf(2), tests: testsOf(100) }
    const result = await runOperation(own, 'policy.test', input, { by: 'ada' })
    clearImmediate(next)
    expect(result).toEqual({ passed: true, failures: [] })
    expect(turns).toBeGreaterThanOrEqual(100)
    await own.close()
  })

  test('are bounded where they are given, whoever may read', async () => {
    const own = await createApp()
    const run = (rules: number, tests: number) =>
      runOperation(own, 'policy.test', { rules: rulesOf(rules), tests: testsOf(tests) }, { by: 'ada' })
    expect(await run(1000, 20)).toMatchObject({ passed: true })
    await expect(run(1000, 21)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { most: 20_000 } })
    await own.close()
  })
})
