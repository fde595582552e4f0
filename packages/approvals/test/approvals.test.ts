import { auditLog } from '@minions/audit-log'
import type { GuardedCall } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvals, type PolicyRule } from '../src/index.ts'
import { createApp, rules, search, type TestApp } from './support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createApp()
})
afterEach(() => app.close())

const code = (error: { code?: string; message: string }) => error.code ?? error.message
const codeOf = (work: Promise<unknown>) => work.then(() => 'resolved', code)

describe('a call that a rule asks about', () => {
  test('waits, is approved by somebody else, and passes once', async () => {
    let waiting = ''
    const cleared = app.approvals.clear(search('a', { use: '1' }), { onWaiting: (id) => (waiting = id) })
    await expect.poll(() => waiting).not.toBe('')
    expect(await app.approvals.get(waiting)).toMatchObject({
      status: 'pending',
      asked_by: 'agent',
      why: 'it costs money',
      rule: 'ask-search',
      call: { name: 'search', arguments: { query: 'a' }, arguments_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    await app.approvals.approve(waiting, { by: 'ada', reason: 'fine' })
    expect(await cleared).toEqual({ arguments: { query: 'a' }, approval: waiting, approvedBy: 'ada' })
    expect(await app.approvals.get(waiting)).toMatchObject({ status: 'used', decided_by: 'ada', reason: 'fine' })
    expect((await app.approvals.history(waiting)).map(({ kind }) => kind)).toEqual(['asked', 'approved', 'used'])
    expect(await codeOf(app.approvals.use(waiting, search('a', { use: '1' })))).toBe('APPROVAL_USED')
  })

  test('is allowed or denied without asking where the rules say so', async () => {
    expect(await app.approvals.clear(search('a', { name: 'read' }))).toEqual({ arguments: { query: 'a' } })
    const denied = await app.approvals.clear(search('a', { name: 'delete_all' })).catch((error) => error)
    expect(denied).toMatchObject({ code: 'POLICY_DENIED', details: { rule: 'never-delete' } })
    expect((await app.approvals.list()).items).toEqual([])
  })

  test('is told that it was rejected, by whom and why', async () => {
    const cleared = codeAndDetails(app.approvals.clear(search('a', { use: '1' })))
    const id = await firstPending(app)
    await app.approvals.reject(id, { by: 'ada', reason: 'too dear' })
    expect(await cleared).toMatchObject({
      code: 'APPROVAL_REJECTED',
      details: { decidedBy: 'ada', reason: 'too dear' },
    })
  })

  test('is asked for once, however often and wherever it is asked', async () => {
    const [one, two] = await Promise.all([app.approvals.ask(search('a'), 'x'), app.approvals.ask(search('a'), 'x')])
    expect(one.approval_id).toBe(two.approval_id)
    expect((await app.approvals.list()).items).toHaveLength(1)
    await app.approvals.reject(one.approval_id, { by: 'ada' })
    const again = await app.approvals.ask(search('a'), 'x')
    expect(again.approval_id).not.toBe(one.approval_id)
  })

  test('can be required instead of awaited, and passes when it is repeated', async () => {
    const refused = await app.approvals.require(search('a')).catch((error) => error)
    expect(refused).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: expect.stringMatching(/^apr_/) } })
    await app.approvals.approve(refused.details.approval, { by: 'ada' })
    expect(await app.approvals.require(search('a'))).toMatchObject({ approval: refused.details.approval })
    expect(await codeOf(app.approvals.require(search('a')))).toBe('APPROVAL_REQUIRED')
  })

  test('that needs an approval inside a transaction asks outside of it, and uses it with the commit', async () => {
    const work = () =>
      app.approvals.asking(() => app.storage.transaction((tx) => app.approvals.require(search('a'), { tx })))
    const refused = await work().catch((error) => error)
    expect(refused.code).toBe('APPROVAL_REQUIRED')
    const id = refused.details.approval
    await app.approvals.approve(id, { by: 'ada' })
    const rolledBack = app.storage.transaction(async (tx) => {
      await app.approvals.require(search('a'), { tx })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await app.approvals.get(id)).toMatchObject({ status: 'approved' })
    expect(await work()).toMatchObject({ approval: id })
    expect(await app.approvals.get(id)).toMatchObject({ status: 'used' })
  })

  test('stops waiting when it is told to, and when the app is closed', async () => {
    const stop = new AbortController()
    const waiting = codeOf(app.approvals.clear(search('a', { use: '1' }), { signal: stop.signal }))
    await firstPending(app)
    stop.abort(new Error('no longer wanted'))
    expect(await waiting).toBe('no longer wanted')
    const other = await createApp()
    const closed = codeOf(other.approvals.clear(search('a', { use: '1' })))
    await firstPending(other)
    await other.close()
    expect(await closed).toBe('CLOSED')
  })

  test('stands once it was asked for, whatever the policy becomes', async () => {
    const refused = await app.approvals.require(search('a', { use: '1' })).catch((error) => error)
    await app.approvals.policy.publish([])
    expect(await codeOf(app.approvals.require(search('a', { use: '1' })))).toBe('APPROVAL_REQUIRED')
    await app.approvals.reject(refused.details.approval, { by: 'ada' })
    expect(await codeOf(app.approvals.clear(search('a', { use: '1' })))).toBe('APPROVAL_REJECTED')
    expect(await app.approvals.clear(search('a', { use: '2' }))).toEqual({ arguments: { query: 'a' } })
  })

  test('is withdrawn with its mission', async () => {
    const { approval_id } = await app.approvals.ask(search('a', { mission: 'm1' }), 'x')
    await app.approvals.withdraw('m1')
    expect(await app.approvals.get(approval_id)).toMatchObject({ status: 'withdrawn' })
    expect(await codeOf(app.approvals.approve(approval_id, { by: 'ada' }))).toBe('CONFLICT')
  })
})

describe('an approval binds to its call', () => {
  const asked = search('a', { version: '1.0.0', mission: 'm1', task: 't1', agent: 'g1', use: '1' })

  test.each([
    ['other arguments', { arguments: { query: 'b' } }, 'the arguments'],
    ['more arguments', { arguments: { query: 'a', all: true } }, 'the arguments'],
    ['another skill', { name: 'delete_nothing' }, 'the name'],
    ['another kind', { kind: 'skill' as const }, 'the kind'],
    ['another version', { version: '1.0.1' }, 'the version'],
    ['another mission', { mission: 'm2' }, 'the mission'],
    ['another task', { task: 't2' }, 'the task'],
    ['another agent', { agent: 'g2' }, 'the agent'],
    ['another use', { use: '2' }, 'the use'],
    ['another tenant', { tenant: 'other' }, 'the tenant'],
    ['another asker', { by: 'eve' }, 'the requester'],
    ['an asker of another spelling', { by: 'Agent' }, 'the requester'],
  ] as const)('and not to %s', async (_, change: Partial<GuardedCall>, differs) => {
    const { approval_id } = await app.approvals.ask(asked, 'x')
    await app.approvals.approve(approval_id, { by: 'ada' })
    const refused = await app.approvals.use(approval_id, { ...asked, ...change }).catch((error) => error)
    expect(refused).toMatchObject({ code: 'APPROVAL_MISMATCH', details: { differs: [differs] } })
    expect((await app.approvals.history(approval_id)).at(-1)).toMatchObject({
      kind: 'refused',
      code: 'APPROVAL_MISMATCH',
      by: change.by ?? 'agent',
    })
    expect(await app.approvals.use(approval_id, asked)).toMatchObject({ approval: approval_id })
  })

  test('whatever the order of the arguments', async () => {
    const { approval_id } = await app.approvals.ask({ ...asked, arguments: { a: 1, b: { c: 1, d: 2 } } }, 'x')
    await app.approvals.approve(approval_id, { by: 'ada' })
    const use = app.approvals.use(approval_id, { ...asked, arguments: { b: { d: 2, c: 1 }, a: 1 } })
    expect(await use).toMatchObject({ approval: approval_id })
  })

  test('and not to a record that was tampered with', async () => {
    const { approval_id } = await app.approvals.ask(asked, 'x')
    const approved = await app.approvals.edit(approval_id, { by: 'ada', arguments: { query: 'narrow' } })
    const { approvalsCollection } = await import('../src/approvals/record.ts')
    const forged = { ...approved, edit: { ...approved.edit, arguments: { query: 'everything' } } }
    await app.storage.put(approvalsCollection, forged as never)
    const refused = await app.approvals.use(approval_id, asked).catch((error) => error)
    expect(refused).toMatchObject({ code: 'APPROVAL_MISMATCH', details: { differs: ['the hash'] } })
  })
})

describe('a decision', () => {
  test('is not made by the one who asked, nor by somebody who is not named', async () => {
    const own = await createApp({ rules: [{ name: 'ask', action: 'ask', ask: { approvers: ['ada', 'bob'] } }] })
    const refused = await own.approvals.require(search('a')).catch((error) => error)
    const id = refused.details.approval
    expect(await codeOf(own.approvals.approve(id, { by: 'agent' }))).toBe('SELF_APPROVAL')
    expect(await codeOf(own.approvals.reject(id, { by: 'agent' }))).toBe('SELF_APPROVAL')
    expect(await codeOf(own.approvals.approve(id, { by: 'eve' }))).toBe('NOT_AN_APPROVER')
    expect(await codeOf(own.approvals.approve(id, { by: '' }))).toBe('VALIDATION_FAILED')
    expect(await own.approvals.approve(id, { by: 'bob' })).toMatchObject({ status: 'approved', decided_by: 'bob' })
    await own.close()
  })

  test.each(['Agent', ' agent', 'agent\u200b', 'ａｇｅｎｔ'])('is not made by the one who asked as %j', async (by) => {
    const { approval_id } = await app.approvals.ask(search('a'), 'x')
    expect(await codeOf(app.approvals.approve(approval_id, { by }))).toBe('SELF_APPROVAL')
    expect(await codeOf(app.approvals.edit(approval_id, { by, arguments: { query: 'b' } }))).toBe('SELF_APPROVAL')
  })

  test('is not made by somebody whose name is that of an approver but for its spelling', async () => {
    const own = await createApp({ rules: [{ name: 'ask', action: 'ask', ask: { approvers: ['ada'] } }] })
    const { approval_id } = await own.approvals.ask(search('a'), 'x')
    expect(await codeOf(own.approvals.approve(approval_id, { by: 'Ada' }))).toBe('NOT_AN_APPROVER')
    await own.close()
  })

  test('is made once; whoever comes later hears who decided', async () => {
    const { approval_id } = await app.approvals.ask(search('a'), 'x')
    await app.approvals.reject(approval_id, { by: 'ada', reason: 'no' })
    const late = await app.approvals.approve(approval_id, { by: 'bob' }).catch((error) => error)
    expect(late).toMatchObject({ code: 'CONFLICT', details: { status: 'rejected', decidedBy: 'ada', reason: 'no' } })
  })

  test('is about what was shown', async () => {
    const { approval_id, call } = await app.approvals.ask(search('a'), 'x')
    expect(await codeOf(app.approvals.approve(approval_id, { by: 'ada', hash: 'f'.repeat(64) }))).toBe(
      'APPROVAL_MISMATCH',
    )
    expect((await app.approvals.history(approval_id)).at(-1)).toMatchObject({ kind: 'refused', by: 'ada' })
    expect(await app.approvals.approve(approval_id, { by: 'ada', hash: call.arguments_hash })).toMatchObject({
      status: 'approved',
    })
  })

  test('can change the arguments, and the change is recorded and used', async () => {
    const given = search('a', { use: '1', arguments: { query: 'all', limit: { max: 100 }, tags: ['x', 'y'] } })
    const cleared = app.approvals.clear(given)
    const id = await firstPending(app)
    const edited = { query: 'marina', limit: { max: 10 }, tags: ['x'] }
    const { edit } = await app.approvals.edit(id, { by: 'ada', arguments: edited, reason: 'narrower' })
    expect(edit?.diff).toEqual([
      { pointer: '/limit/max', before: 100, after: 10 },
      { pointer: '/query', before: 'all', after: 'marina' },
      { pointer: '/tags/1', before: 'y' },
    ])
    expect(await cleared).toEqual({ arguments: edited, approval: id, approvedBy: 'ada' })
    expect((await app.approvals.history(id)).map(({ kind }) => kind)).toEqual(['asked', 'edited', 'used'])
  })

  test('cannot change the skill, nor arguments into ones that the policy denies', async () => {
    await app.approvals.policy.publish([
      { name: 'no-secrets', action: 'deny', arguments: { '/query': { pattern: 'secret' } } },
      ...rules,
    ])
    const { approval_id } = await app.approvals.ask(search('a'), 'x')
    const edit = (more: object) => app.approvals.edit(approval_id, { by: 'ada', arguments: { query: 'b' }, ...more })
    expect(await codeOf(edit({ call: { name: 'delete_all' } }))).toBe('APPROVAL_MISMATCH')
    expect(await codeOf(edit({ call: { version: '2' } }))).toBe('APPROVAL_MISMATCH')
    expect(await codeOf(edit({ arguments: { query: 'a secret' } }))).toBe('POLICY_DENIED')
    expect((await app.approvals.history(approval_id)).filter(({ kind }) => kind === 'refused')).toHaveLength(3)
    expect(await app.approvals.get(approval_id)).toMatchObject({ status: 'pending' })
  })

  test('on several approvals is made on all or none', async () => {
    const ids: string[] = []
    for (const query of ['a', 'b', 'c']) ids.push((await app.approvals.ask(search(query), 'x')).approval_id)
    const own = await app.approvals.ask(search('d', { by: 'ada' }), 'x')
    const all = (list: readonly string[]) => list.map((approval) => ({ approval, decision: 'approve' as const }))
    expect(await codeOf(app.approvals.decide(all([...ids, own.approval_id]), { by: 'ada' }))).toBe('SELF_APPROVAL')
    expect((await app.approvals.list({ status: 'pending' })).items).toHaveLength(4)
    expect(await codeOf(app.approvals.decide(all(['apr_none', ...ids]), { by: 'ada' }))).toBe('NOT_FOUND')
    expect(await codeOf(app.approvals.decide(all([ids[0] as string, ids[0] as string]), { by: 'ada' }))).toBe(
      'VALIDATION_FAILED',
    )
    expect(await app.approvals.decide(all(ids), { by: 'ada' })).toHaveLength(3)
    expect((await app.approvals.list({ status: 'approved' })).items).toHaveLength(3)
  })

  test('within another tenant finds nothing, and is recorded', async () => {
    const { approval_id } = await app.approvals.ask(search('a'), 'x')
    expect(await codeOf(app.approvals.approve(approval_id, { by: 'eve', tenant: 'other' }))).toBe('NOT_FOUND')
    expect(await codeOf(app.approvals.get(approval_id, { tenant: 'other' }))).toBe('NOT_FOUND')
    expect((await app.approvals.list({ tenant: 'other' })).items).toEqual([])
    expect((await app.approvals.history(approval_id)).at(-1)).toMatchObject({
      kind: 'refused',
      code: 'NOT_FOUND',
      by: 'eve',
    })
  })
})

test('approvals are listed in pages of one moment, by status and mission', async () => {
  for (let index = 0; index < 5; index++)
    await app.approvals.ask(search(`q${index}`, { mission: index < 2 ? 'm1' : 'm2' }), 'x')
  const first = await app.approvals.list({ status: 'pending', limit: 2 })
  const second = await app.approvals.list({ status: 'pending', limit: 2, cursor: first.nextCursor })
  const third = await app.approvals.list({ status: 'pending', limit: 2, cursor: second.nextCursor })
  const all = [first, second, third].flatMap(({ items }) => items.map(({ call }) => call.arguments.query))
  expect(all).toHaveLength(5)
  expect(new Set(all).size).toBe(5)
  expect(third.nextCursor).toBeUndefined()
  expect((await app.approvals.list({ mission: 'm1' })).items).toHaveLength(2)
  expect(await codeOf(app.approvals.list({ cursor: 'nonsense' }))).toBe('INVALID_CURSOR')
})

test('decisions and refusals are in the audit log', async () => {
  const audited = await createMinions({ storage: 'memory:', plugins: [auditLog(), approvals({ rules })] })
  const { approval_id } = await audited.approvals.ask(search('a'), 'x')
  await audited.approvals.approve(approval_id, { by: 'agent' }).catch(() => undefined)
  await audited.approvals.approve(approval_id, { by: 'ada', reason: 'fine' })
  await audited.approvals.use(approval_id, search('b')).catch(() => undefined)
  expect(await audited.auditLog.history(approval_id)).toMatchObject([
    { kind: 'refused', by: 'agent', code: 'SELF_APPROVAL' },
    { kind: 'decided', by: 'ada', message: expect.stringContaining('fine') },
    { kind: 'refused', by: 'agent', code: 'APPROVAL_MISMATCH' },
  ])
  await audited.close()
})

test('a policy that is published, and one that is refused, are in the audit log', async () => {
  const audited = await createMinions({ storage: 'memory:', plugins: [auditLog(), approvals({ rules })] })
  const { policy } = audited.approvals
  const explodes: PolicyRule[] = [{ name: 'a', action: 'deny', arguments: { '/x': { pattern: '(a+)+\\1$' } } }]
  expect(await codeOf(policy.publish(explodes, { by: 'eve' }))).toBe('POLICY_INVALID')
  const tests = [{ title: 'search is asked for', call: { kind: 'tool', name: 'search' }, expect: 'ask' }] as const
  await policy.publish(rules, { by: 'ada', tests, note: 'as before' })
  expect(await codeOf(policy.publish([], { by: 'eve' }))).toBe('POLICY_TEST_FAILED')
  expect(await codeOf(policy.publish(rules, { by: 'eve', ifVersion: 0 }))).toBe('CONFLICT')
  expect(await audited.auditLog.history('policy')).toMatchObject([
    { kind: 'refused', by: 'eve', code: 'POLICY_INVALID', message: expect.stringContaining('pattern') },
    { kind: 'decided', by: 'ada', message: expect.stringContaining('Version 1') },
    { kind: 'refused', by: 'eve', code: 'POLICY_TEST_FAILED' },
    { kind: 'refused', by: 'eve', code: 'CONFLICT' },
  ])
  await audited.close()
})

test('what is refused inside a transaction is recorded outside of it', async () => {
  const call = search('a', { cost: 1 })
  const { approval_id } = await app.approvals.ask(call, 'x')
  await app.approvals.approve(approval_id, { by: 'ada' })
  const dearer = () => app.storage.transaction((tx) => app.approvals.require({ ...call, cost: 2 }, { tx }))
  expect(await codeOf(app.approvals.asking(dearer))).toBe('APPROVAL_MISMATCH')
  expect((await app.approvals.history(approval_id)).at(-1)).toMatchObject({ kind: 'refused', by: 'agent' })
  expect(await app.approvals.get(approval_id)).toMatchObject({ status: 'approved' })
})

async function codeAndDetails(work: Promise<unknown>) {
  return work.catch((error: unknown) => error)
}

async function firstPending({ approvals: api }: TestApp): Promise<string> {
  await expect.poll(async () => (await api.list({ status: 'pending' })).items.length).toBe(1)
  return (await api.list({ status: 'pending' })).items[0]?.approval_id ?? ''
}
