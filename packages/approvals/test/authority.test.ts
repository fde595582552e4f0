import { runOperation } from '@minions/core/operations'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PolicyRule } from '../src/index.ts'
import { createApp, search, type TestApp } from './support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createApp({
    rules: [
      { name: 'never', action: 'deny', call: 'delete' },
      {
        name: 'dear',
        action: 'ask',
        call: 'pay',
        arguments: { '/amount': { above: 1000 } },
        ask: { approvers: ['cfo'] },
      },
      { name: 'cheap', action: 'ask', call: 'pay', ask: { approvers: ['bob'] } },
      { name: 'search', action: 'ask', call: 'search' },
    ],
  })
})
afterEach(() => app.close())

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  )
const pay = (amount: number, use = '1') => search('', { name: 'pay', arguments: { amount }, use })

describe('asking without being made to', () => {
  test('asks those whom the rule names', async () => {
    const { approval_id, ...asked } = await app.approvals.ask(pay(5000), 'The invoice is due.')
    expect(asked).toMatchObject({ approvers: ['cfo'], rule: 'dear', why: 'The invoice is due.' })
    expect(await codeOf(app.approvals.approve(approval_id, { by: 'mallory' }))).toBe('NOT_AN_APPROVER')
    expect(await app.approvals.approve(approval_id, { by: 'cfo' })).toMatchObject({ status: 'approved' })
  })

  test('is refused for what a rule denies, and asks everyone for what no rule asks about', async () => {
    const call = { kind: 'tool', name: 'delete' } as const
    const context = { by: 'agent', tenant: 'acme' }
    expect(await codeOf(runOperation(app, 'approvals.ask', { call, why: 'x' }, context))).toBe('POLICY_DENIED')
    expect(await app.approvals.ask(search('a', { name: 'read' }), 'x')).toMatchObject({ approvers: null, rule: null })
  })
})

test('who decided on a call does not do it too, but may ask for it', async () => {
  const call = search('a')
  const own = { ...call, by: 'ada' }
  const { approval_id } = await app.approvals.ask(call, 'x')
  await app.approvals.approve(approval_id, { by: 'ada' })
  expect(await codeOf(app.approvals.use(approval_id, own))).toBe('APPROVAL_MISMATCH')
  expect((await app.approvals.history(approval_id)).at(-1)).toMatchObject({ code: 'APPROVAL_MISMATCH', by: 'ada' })
  const asked = await app.approvals.require(own).catch((error) => error)
  expect(asked).toMatchObject({ code: 'APPROVAL_REQUIRED' })
  expect(asked.details.approval).not.toBe(approval_id)
  expect(await codeOf(app.approvals.approve(asked.details.approval, { by: 'ada' }))).toBe('SELF_APPROVAL')
  expect(await app.approvals.require(call)).toMatchObject({ approval: approval_id, approvedBy: 'ada' })
})

describe('an edit', () => {
  test('goes no further than the person who makes it may decide', async () => {
    const { approval_id } = await app.approvals.ask(pay(1), 'x')
    const beyond = app.approvals.edit(approval_id, { by: 'bob', arguments: { amount: 5000 } })
    expect(await codeOf(beyond)).toBe('NOT_AN_APPROVER')
    expect((await app.approvals.history(approval_id)).at(-1)).toMatchObject({ code: 'NOT_AN_APPROVER', by: 'bob' })
    const within = await app.approvals.edit(approval_id, { by: 'bob', arguments: { amount: 900 } })
    expect(within).toMatchObject({ status: 'approved', edit: { arguments: { amount: 900 } } })
  })

  test('may be made by those to whom it is escalated', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const escalate = { after: 60_000, to: ['eve'] }
    const rules: PolicyRule[] = [{ name: 'ask', action: 'ask', ask: { approvers: ['bob'], escalate } }]
    const own = await createApp({ rules, clock: () => new Date(now) })
    const { approval_id } = await own.approvals.ask(pay(1), 'x')
    const edit = () => own.approvals.edit(approval_id, { by: 'eve', arguments: { amount: 2 } })
    expect(await codeOf(edit())).toBe('NOT_AN_APPROVER')
    now += 60_000
    expect(await edit()).toMatchObject({ status: 'approved', decided_by: 'eve' })
    await own.close()
  })
})

describe('what a policy denies meanwhile', () => {
  const publish = async (rule: PolicyRule) => {
    const { rules } = await app.approvals.policy.current()
    await app.approvals.policy.publish([rule, ...rules])
  }

  test('is not done by the one who waits for a decision', async () => {
    let waiting = ''
    const cleared = codeOf(app.approvals.clear(search('a', { use: '1' }), { onWaiting: (id) => (waiting = id) }))
    await expect.poll(() => waiting).not.toBe('')
    await publish({ name: 'no-search', action: 'deny', call: 'search' })
    await app.approvals.approve(waiting, { by: 'ada' })
    expect(await cleared).toBe('POLICY_DENIED')
    expect(await app.approvals.get(waiting)).toMatchObject({ status: 'approved' })
    expect((await app.approvals.history(waiting)).at(-1)).toMatchObject({ kind: 'refused', code: 'POLICY_DENIED' })
  })

  test('is not done with arguments that the approver chose before', async () => {
    const call = search('a')
    const { approval_id } = await app.approvals.ask(call, 'x')
    await app.approvals.edit(approval_id, { by: 'ada', arguments: { query: 'edited' } })
    await publish({ name: 'no-edited', action: 'deny', arguments: { '/query': { equals: 'edited' } } })
    const inTransaction = app.storage.transaction((tx) => app.approvals.require(call, { tx }))
    for (const work of [app.approvals.require(call), app.approvals.use(approval_id, call), inTransaction]) {
      expect(await codeOf(work)).toBe('POLICY_DENIED')
    }
    await publish({ name: 'edited-again', action: 'allow', arguments: { '/query': { equals: 'edited' } } })
    expect(await app.approvals.require(call)).toMatchObject({ arguments: { query: 'edited' } })
  })
})

describe('the expected cost', () => {
  const search5 = search('a', { cost: 5 })

  test.each([
    ['more', 5.01],
    ['no one knows how much', undefined],
    ['not a number', Number.NaN],
  ])('is bound: an approval is not used where it is %s', async (_, cost) => {
    const { approval_id } = await app.approvals.ask(search5, 'x')
    await app.approvals.approve(approval_id, { by: 'ada' })
    const refused = await app.approvals.require({ ...search5, cost }).catch((error) => error)
    expect(refused).toMatchObject({ code: 'APPROVAL_MISMATCH', details: { differs: ['the cost'] } })
    expect(await app.approvals.require(search5)).toMatchObject({ approval: approval_id })
  })

  test('may be less than what was approved, and anything where it was not known', async () => {
    const { approval_id } = await app.approvals.ask(search5, 'x')
    await app.approvals.approve(approval_id, { by: 'ada' })
    expect(await app.approvals.require({ ...search5, cost: 4 })).toMatchObject({ approval: approval_id })
    const unknown = await app.approvals.ask(search('b', { cost: Number.NaN }), 'x')
    expect(unknown.call.cost).toBeNull()
    await app.approvals.approve(unknown.approval_id, { by: 'ada' })
    expect(await app.approvals.require(search('b', { cost: 7 }))).toMatchObject({ approval: unknown.approval_id })
  })
})
