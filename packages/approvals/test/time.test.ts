import { describe, expect, test } from 'vitest'
import type { PolicyRule } from '../src/index.ts'
import { createApp, search } from './support/app.ts'
import { ManualTime } from './support/manual-time.ts'

const HOUR = 3_600_000
const rules: readonly PolicyRule[] = [
  {
    name: 'ask',
    action: 'ask',
    ask: { approvers: ['ada'], expiresIn: HOUR, escalate: { after: HOUR / 2, to: ['boss'] } },
  },
]

async function open() {
  const time = new ManualTime()
  const app = await createApp({ rules, clock: time.clock, timers: time.timers, validForMs: HOUR })
  const refused = await app.approvals.require(search('a')).catch((error) => error)
  return { time, app, id: String(refused.details.approval) }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error) => error.code,
  )

describe('an approval expires', () => {
  test('in the very millisecond that it says, and not one before', async () => {
    const { time, app, id } = await open()
    time.advance(HOUR - 1)
    const before = await app.approvals.get(id)
    expect(before.status).toBe('pending')
    time.millis += 1
    expect(await app.approvals.get(id)).toMatchObject({ status: 'expired' })
    expect(await codeOf(app.approvals.approve(id, { by: 'ada' }))).toBe('APPROVAL_EXPIRED')
    expect((await app.approvals.history(id)).map(({ kind }) => kind)).toEqual([
      'asked',
      'escalated',
      'expired',
      'refused',
    ])
    await app.close()
  })

  test('against an approval in the same millisecond: one of both is true, for everyone', async () => {
    for (let round = 0; round < 20; round++) {
      const { time, app, id } = await open()
      const waited = app.approvals.wait(id)
      time.advance(HOUR - 1)
      // The last decision that counts and the timer that lets it expire, in either order.
      const approve = () => codeOf(app.approvals.approve(id, { by: 'ada' }))
      const early = round % 2 === 0 ? approve() : undefined
      time.advance(1)
      const outcome = await (early ?? approve())
      const { status } = await waited
      expect(status).toBe(outcome === 'resolved' ? 'approved' : 'expired')
      expect(await app.approvals.get(id)).toMatchObject({ status })
      const kinds = (await app.approvals.history(id)).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'approved' || kind === 'expired')).toEqual([status])
      await app.close()
    }
  })

  test('while somebody waits for it, who is told', async () => {
    const { time, app } = await open()
    const waiting = codeOf(app.approvals.clear(search('b', { use: '1' })))
    await expect.poll(async () => (await app.approvals.list({ status: 'pending' })).items.length).toBe(2)
    const held = (await app.approvals.list({ status: 'pending' })).items.find(({ call }) => call.use === '1')
    // The wait has begun when its timer is set, which follows what it reads.
    const tick = setInterval(() => time.advance(HOUR), 5)
    expect(await waiting).toBe('APPROVAL_EXPIRED')
    clearInterval(tick)
    expect(await app.approvals.get(held?.approval_id ?? '')).toMatchObject({ status: 'expired' })
    await app.close()
  })

  test('after it was given and not used', async () => {
    const { time, app, id } = await open()
    await app.approvals.approve(id, { by: 'ada' })
    time.advance(HOUR)
    expect(await app.approvals.get(id)).toMatchObject({ status: 'expired' })
    expect(await codeOf(app.approvals.use(id, search('a')))).toBe('APPROVAL_EXPIRED')
    expect((await app.approvals.list({ status: 'approved' })).items).toEqual([])
    expect((await app.approvals.list({ status: 'expired' })).items).toHaveLength(1)
    await app.close()
  })
})

test('an approval escalates: others are told, and may decide from then on', async () => {
  const { time, app, id } = await open()
  expect(await codeOf(app.approvals.approve(id, { by: 'boss' }))).toBe('NOT_AN_APPROVER')
  time.advance(HOUR / 2)
  await expect.poll(async () => (await app.approvals.get(id)).escalated_at).not.toBeNull()
  expect((await app.approvals.history(id)).map(({ kind }) => kind)).toContain('escalated')
  expect(await app.approvals.approve(id, { by: 'boss' })).toMatchObject({ status: 'approved', decided_by: 'boss' })
  await app.close()
})

test('a page is full whatever is over among those that are stored as pending', async () => {
  const time = new ManualTime()
  // No timer fires, as in a process that has just begun: what is over is not written down yet.
  const timers = { now: time.timers.now, set: () => () => {} }
  const app = await createApp({ rules: [], clock: time.clock, timers })
  const short: PolicyRule = { name: 'short', action: 'ask', call: 'short', ask: { expiresIn: HOUR } }
  await app.approvals.policy.publish([short])
  const expected: string[] = []
  for (let index = 0; index < 20; index++) {
    const isShort = index % 3 !== 0
    const call = search(`q${index}`, { name: isShort ? 'short' : 'long' })
    const { approval_id } = await app.approvals.ask(call, 'x')
    if (!isShort) expected.push(approval_id)
    time.millis += 1
  }
  time.millis += HOUR
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await app.approvals.list({ status: 'pending', limit: 3, ...(cursor && { cursor }) })
    pages.push(page.items.map(({ approval_id }) => approval_id))
    cursor = page.nextCursor
  } while (cursor)
  expect(pages.flat()).toEqual(expected)
  expect(pages.slice(0, 2).map(({ length }) => length)).toEqual([3, 3])
  expect((await app.approvals.list({ status: 'expired' })).items).toHaveLength(13)
  await app.close()
})
