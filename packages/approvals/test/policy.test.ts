import { describe, expect, test } from 'vitest'
import { Policy, type PolicyCall, type PolicyRule } from '../src/index.ts'
import { createApp } from './support/app.ts'

const call = (more: Partial<PolicyCall> = {}): PolicyCall => ({ kind: 'tool', name: 'send_mail', ...more })

function decide(rule: Omit<PolicyRule, 'name' | 'action'>, given: PolicyCall, action: PolicyRule['action'] = 'deny') {
  return new Policy([{ name: 'rule', action, ...rule }], 0).explain(given).rule === 'rule'
}

describe('a policy', () => {
  test('is decided by the first rule that matches, and says which and why', () => {
    const policy = new Policy(
      [
        {
          name: 'mail-inside',
          action: 'allow',
          call: 'send_mail',
          arguments: { '/to': { pattern: '@acme\\.example$' } },
        },
        { name: 'mail', action: 'ask', call: 'send_*', reason: 'mail leaves the house' },
        { name: 'rest', action: 'deny' },
      ],
      3,
    )
    expect(policy.explain(call({ arguments: { to: 'ada@acme.example' } }))).toMatchObject({
      action: 'allow',
      rule: 'mail-inside',
    })
    expect(policy.explain(call({ arguments: { to: 'eve@evil.example' } }))).toMatchObject({
      action: 'ask',
      rule: 'mail',
      reason: 'mail leaves the house',
      version: 3,
      considered: [
        { rule: 'mail-inside', matches: false, because: 'argument /to does not match its pattern' },
        { rule: 'mail', matches: true, because: '' },
      ],
    })
    expect(policy.explain(call({ name: 'drop_table' }))).toMatchObject({ action: 'deny', rule: 'rest' })
  })

  test('allows what no rule matches', () => {
    expect(new Policy([], 0).explain(call())).toMatchObject({ action: 'allow', rule: null, reason: 'no rule matches' })
  })

  test('matches by kind, name, version, tenant, role, sensitivity, person and cost', () => {
    expect(decide({ kind: ['skill', 'tool'] }, call())).toBe(true)
    expect(decide({ kind: 'skill' }, call())).toBe(false)
    expect(decide({ call: ['a', 'send_*'] }, call())).toBe(true)
    expect(decide({ call: 'send' }, call())).toBe(false)
    expect(decide({ call: 'send.mail' }, call())).toBe(false)
    expect(decide({ version: '1.*' }, call({ version: '1.2.3' }))).toBe(true)
    expect(decide({ version: '1.*' }, call())).toBe(false)
    expect(
      decide(
        { tenant: 'acme', role: 'worker', sensitivity: 'secret', by: 'ada' },
        call({ tenant: 'acme', role: 'worker', sensitivity: 'secret', by: 'ada' }),
      ),
    ).toBe(true)
    expect(decide({ tenant: 'acme' }, call({ tenant: 'other' }))).toBe(false)
    expect(decide({ cost: { above: 1 } }, call({ cost: 1.5 }))).toBe(true)
    expect(decide({ cost: { above: 1 } }, call({ cost: 1 }))).toBe(false)
  })

  test('reads arguments by JSON Pointer: patterns, values and bounds', () => {
    const given = call({ arguments: { amount: 500, to: ['a', { 'x/y': 'deep' }], note: 'fine' } })
    expect(decide({ arguments: { '/amount': { above: 100, upTo: 500 } } }, given)).toBe(true)
    expect(decide({ arguments: { '/amount': { above: 500 } } }, given)).toBe(false)
    expect(decide({ arguments: { '/to/1/x~1y': { equals: 'deep' } } }, given)).toBe(true)
    expect(decide({ arguments: { '/to/01': { pattern: '' } } }, given)).toBe(false)
    expect(decide({ arguments: { '/to': { pattern: '"a"' } } }, given)).toBe(true)
    expect(decide({ arguments: { '': { pattern: 'deep' } } }, given)).toBe(true)
    expect(decide({ arguments: { '/constructor': { pattern: '' } } }, given)).toBe(false)
  })

  test('lets nothing slip past that it cannot judge', () => {
    expect(decide({ cost: { above: 1 } }, call())).toBe(true)
    expect(decide({ cost: { upTo: 1 } }, call(), 'allow')).toBe(false)
    for (const cost of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(decide({ cost: { above: 1, upTo: 9 } }, call({ cost }))).toBe(true)
      expect(decide({ cost: { above: 1 } }, call({ cost }), 'allow')).toBe(false)
      expect(decide({ arguments: { '/amount': { above: 10, upTo: 20 } } }, call({ arguments: { amount: cost } }))).toBe(
        true,
      )
    }
    const huge = call({ arguments: { text: 'x'.repeat(3_000_000) } })
    const slow = { '/text': { pattern: '(?:a?b?c?d?e?f?g?h?){50}z' } }
    expect(decide({ arguments: slow }, huge)).toBe(true)
    expect(decide({ arguments: slow }, huge, 'allow')).toBe(false)
    expect(decide({ arguments: { '/amount': { above: 10 } } }, call({ arguments: { amount: '11' } }))).toBe(true)
  })

  test.each([
    ['a pattern that would explode', [{ name: 'a', action: 'deny', arguments: { '/x': { pattern: '(a+)+\\1$' } } }]],
    ['a pattern that is none', [{ name: 'a', action: 'deny', arguments: { '/x': { pattern: '(' } } }]],
    [
      'two rules of one name',
      [
        { name: 'a', action: 'deny' },
        { name: 'a', action: 'allow' },
      ],
    ],
    ['an unknown property', [{ name: 'a', action: 'deny', tool: 'x' }]],
    ['an unknown action', [{ name: 'a', action: 'maybe' }]],
    ['a path that is no pointer', [{ name: 'a', action: 'deny', arguments: { to: { equals: 1 } } }]],
    ['an ask that does not ask', [{ name: 'a', action: 'deny', ask: { expiresIn: 1 } }]],
  ])('refuses %s', (_, rules) => {
    expect(() => new Policy(rules as unknown as PolicyRule[], 1)).toThrow(
      expect.objectContaining({ code: 'POLICY_INVALID' }),
    )
  })

  test('matches a hostile text in linear time', () => {
    const rule = { arguments: { '/x': { pattern: '^(a+)+$' } } }
    expect(decide(rule, call({ arguments: { x: `${'a'.repeat(50_000)}!` } }))).toBe(false)
  })
})

describe('versions of a policy', () => {
  const ask = { name: 'ask', action: 'ask', call: 'send_mail' } as const

  test('are published one after the other, and the tests of the last must hold', async () => {
    const app = await createApp({ rules: [] })
    const { policy } = app.approvals
    expect(await policy.current()).toMatchObject({ version: 0, rules: [] })
    const tests = [{ title: 'mail is asked for', call: call(), expect: 'ask' as const }]
    expect(await policy.publish([ask], { tests, by: 'ada', note: 'first' })).toMatchObject({ version: 1, by: 'ada' })
    expect(await policy.explain(call())).toMatchObject({ action: 'ask', version: 1 })
    const refused = await policy.publish([{ name: 'all', action: 'allow' }]).catch((error) => error)
    expect(refused).toMatchObject({
      code: 'POLICY_TEST_FAILED',
      details: { failures: [{ title: 'mail is asked for' }] },
    })
    expect(await policy.publish([ask, { name: 'rest', action: 'deny' }])).toMatchObject({ version: 2, tests })
    expect((await policy.history()).items.map(({ version }) => version)).toEqual([2, 1])
    await app.close()
  })

  test('of two that are published at the same time one wins', async () => {
    const app = await createApp({ rules: [] })
    const { policy } = app.approvals
    const outcomes = await Promise.allSettled([
      policy.publish([ask], { by: 'ada', ifVersion: 0 }),
      policy.publish([ask], { by: 'eve', ifVersion: 0 }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(lost.reason).toMatchObject({ code: 'CONFLICT', details: { version: 1 } })
    await app.close()
  })
})
