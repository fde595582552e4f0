import { MinionsError } from '@minions/core'
import { expect, it, vi } from 'vitest'
import { Proposals, type ProposalsOptions } from '../../src/index.js'
import { changed, newMission, PROPOSAL, storeMission, TENANT } from '../support/stored-mission.js'
import { type CreateBackend, context } from './context.js'

const yes = { by: 'director', reason: 'it makes sense' }

export function proposalsSuite(create: CreateBackend): void {
  const { open } = context(create)

  async function start(options: ProposalsOptions = {}, change: Record<string, unknown> = {}) {
    const store = await open()
    const mission = newMission()
    Object.assign(mission.writeback_proposal, change)
    await storeMission(store, mission)
    const missionId = String(mission.mission_envelope.mission_id)
    const proposals = new Proposals(store, { clock: () => Date.parse('2026-04-14T12:30:00Z'), ...options })
    const reader = store.forTenant(TENANT)
    const decisions = async () =>
      (await reader.list('policy_decision')).items.filter(({ decision_type }) => decision_type === 'writeback')
    return { store, mission, missionId, proposals, reader, decisions }
  }

  it('is approved by another than the one on whose behalf the mission runs, who may only reject it', async () => {
    const { proposals, decisions, missionId } = await start()
    for (const by of ['oracle_operator', 'ORACLE_OPERATOR ']) {
      await expect(proposals.approve(PROPOSAL, { ...yes, by })).rejects.toMatchObject({
        code: 'SELF_APPROVAL',
        details: { proposalId: PROPOSAL, missionId },
      })
    }
    expect(await decisions()).toEqual([])
    expect(await proposals.reject(PROPOSAL, { ...yes, by: 'oracle_operator' })).toMatchObject({ status: 'rejected' })
  })

  it('applies an approved proposal once, under a key of its own', async () => {
    const { proposals, missionId, mission, reader, decisions } = await start()
    const handler = vi.fn(async () => ({ done: true }))
    await expect(proposals.apply(PROPOSAL, handler)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      details: { verdict: 'NO_APPROVAL' },
    })
    expect(await proposals.get(PROPOSAL)).toMatchObject({ decisions: [], application: undefined })
    const approved = await proposals.approve(PROPOSAL, yes)
    expect(approved).toMatchObject({ status: 'approved', attempts: 0, producer: 'director', tenant_id: TENANT })
    expect(await decisions()).toMatchObject([
      {
        decision_id: approved.decision_id,
        decision: 'allow',
        subject: PROPOSAL,
        producer: 'director',
        reason: yes.reason,
      },
    ])
    const applied = await proposals.apply(PROPOSAL, handler)
    expect(applied).toMatchObject({ status: 'applied', attempts: 1, result: { done: true } })
    expect(await reader.application(missionId, PROPOSAL)).toEqual(applied)
    const state = await proposals.get(PROPOSAL, { missionId })
    expect(state).toMatchObject({ proposal: { proposal_id: PROPOSAL }, application: applied })
    expect(state.decisions).toEqual(await decisions())
    await expect(proposals.get('wb_404')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(handler.mock.calls).toEqual([
      [
        { ...mission.writeback_proposal, tenant_id: TENANT, actor_id: 'oracle_operator' },
        { idempotencyKey: applied.idempotency_key, attempt: 1 },
      ],
    ])
    await expect(proposals.apply(PROPOSAL, handler)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { status: 'applied' },
    })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('never applies what was rejected', async () => {
    const { proposals, decisions } = await start(
      { policy: { allowUnapprovedWriteback: true } },
      { requires_approval: false },
    )
    expect(await proposals.reject(PROPOSAL, yes)).toMatchObject({ status: 'rejected' })
    expect(await decisions()).toMatchObject([{ decision: 'deny' }])
    const handler = vi.fn()
    await expect(proposals.apply(PROPOSAL, handler)).rejects.toMatchObject({ code: 'POLICY_DENIED' })
    await expect(proposals.approve(PROPOSAL, yes)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(handler).not.toHaveBeenCalled()
  })

  it.each([
    [true, true, false],
    [true, false, false],
    [false, false, false],
    [false, true, true],
  ])(
    'requires_approval %s and a configuration that permits %s: applied %s',
    async (requires_approval, permits, applied) => {
      const { proposals } = await start({ policy: { allowUnapprovedWriteback: permits } }, { requires_approval })
      const handler = vi.fn()
      const applying = proposals.apply(PROPOSAL, handler)
      if (applied) expect(await applying).toMatchObject({ status: 'applied' })
      else await expect(applying).rejects.toMatchObject({ code: 'POLICY_DENIED' })
      expect(handler).toHaveBeenCalledTimes(applied ? 1 : 0)
    },
  )

  it('counts decisions that were stored as artifacts, a denial above all', async () => {
    const { proposals, store, mission } = await start()
    const decision = { decision_type: 'writeback', subject: PROPOSAL, producer: 'board' }
    await store.put(changed(mission.policy_decision, { ...decision, decision_id: 'pol_w1' }))
    await expect(proposals.approve(PROPOSAL, yes)).rejects.toMatchObject({ code: 'CONFLICT' })
    await store.put(changed(mission.policy_decision, { ...decision, decision_id: 'pol_w2', decision: 'deny' }))
    await expect(proposals.apply(PROPOSAL, vi.fn())).rejects.toMatchObject({
      details: { verdict: 'DENIED_BY_DECISION' },
    })
  })

  it('has one winner among concurrent approvals and rejections', async () => {
    const { proposals, decisions } = await start()
    const results = await Promise.allSettled([
      proposals.approve(PROPOSAL, yes),
      proposals.reject(PROPOSAL, yes),
      proposals.approve(PROPOSAL, yes),
    ])
    const losers = results.filter((result) => result.status === 'rejected')
    expect(losers).toHaveLength(2)
    for (const { reason } of losers) expect(reason).toMatchObject({ code: 'CONFLICT' })
    expect(await decisions()).toHaveLength(1)
  })

  it('has one winner among concurrent applications, also while its handler runs', async () => {
    const { proposals, store } = await start()
    await proposals.approve(PROPOSAL, yes)
    let finish = () => {}
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    const handler = vi.fn(() => running)
    const others = new Proposals(store)
    const all = [proposals, others, others].map((each) => each.apply(PROPOSAL, handler))
    const settled = Promise.allSettled(all)
    await vi.waitFor(() => expect(handler).toHaveBeenCalled(), 30_000)
    await expect(others.apply(PROPOSAL, handler)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { status: 'applying' },
    })
    finish()
    const results = await settled
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('tells that a handler failed, and gives the next attempt the same key', async () => {
    const { proposals, reader, missionId } = await start()
    await proposals.approve(PROPOSAL, yes)
    const keys: string[] = []
    const failing = proposals.apply(PROPOSAL, (_, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      throw new Error(`no \u0000 connection \ud800 ${'x'.repeat(5000)}`)
    })
    await expect(failing).rejects.toMatchObject({ code: 'WRITEBACK_FAILED', details: { recorded: true } })
    const failed = await reader.application(missionId, PROPOSAL)
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringMatching(/^no \ufffd connection/),
    })
    expect(failed?.error?.length).toBeLessThan(1100)
    const applied = await proposals.apply(PROPOSAL, (_, { idempotencyKey, attempt }) => {
      keys.push(idempotencyKey)
      return attempt
    })
    expect(applied).toMatchObject({ status: 'applied', attempts: 2, result: 2 })
    expect(applied).not.toHaveProperty('error')
    expect(new Set(keys).size).toBe(1)
  })

  it.each([[() => 1], [new Date()], [Number.NaN], ['x'.repeat(2_000_000)], [undefined]])(
    'has applied a proposal whatever its handler returns',
    async (result) => {
      const { proposals } = await start()
      await proposals.approve(PROPOSAL, yes)
      const applied = await proposals.apply(PROPOSAL, () => result)
      expect(applied.status).toBe('applied')
      expect(applied).not.toHaveProperty('result')
    },
  )

  it('leaves `applying` behind when the outcome cannot be recorded, and is applied again with the same key', async () => {
    const { proposals, store, missionId, reader } = await start()
    await proposals.approve(PROPOSAL, yes)
    const put = vi.spyOn(store.storage, 'put').mockRejectedValueOnce(new MinionsError('STORAGE_UNAVAILABLE', 'gone'))
    const keys: string[] = []
    const handler = (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => void keys.push(idempotencyKey)
    await expect(proposals.apply(PROPOSAL, handler)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    put.mockRestore()
    expect(await reader.application(missionId, PROPOSAL)).toMatchObject({ status: 'applying' })
    expect((await reader.applications({ status: 'applying' })).items).toHaveLength(1)
    expect((await store.forTenant('tenant_other').applications()).items).toEqual([])
    expect(await proposals.apply(PROPOSAL, handler)).toMatchObject({ status: 'applied', attempts: 2 })
    expect(keys[0]).toBe(keys[1])
  })

  it('takes over from another host only when told to', async () => {
    const { proposals, store, missionId, reader } = await start()
    await proposals.approve(PROPOSAL, yes)
    const collection = (await import('../../src/store/collections.js')).applicationsCollection
    const approved = await reader.application(missionId, PROPOSAL)
    const claim = { id: 'x', host: 'elsewhere', pid: 1, thread: 0 }
    await store.storage.put(collection, { ...approved, status: 'applying', attempts: 1, claim } as never)
    const handler = vi.fn()
    await expect(proposals.apply(PROPOSAL, handler)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await proposals.apply(PROPOSAL, handler, { resume: true })).toMatchObject({ status: 'applied', attempts: 2 })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('asks which mission is meant when several have the proposal', async () => {
    const { proposals, store, missionId } = await start()
    await storeMission(store)
    await expect(proposals.approve(PROPOSAL, yes)).rejects.toMatchObject({ code: 'AMBIGUOUS_ID' })
    const scope = { missionId, tenantId: TENANT }
    expect(await proposals.approve(PROPOSAL, { ...yes, ...scope })).toMatchObject({ mission_id: missionId })
    expect(await proposals.apply(PROPOSAL, () => 1, scope)).toMatchObject({ mission_id: missionId, status: 'applied' })
    for (const wrong of [{ missionId: 'x' }, { tenantId: 'tenant_other' }])
      await expect(proposals.reject(PROPOSAL, { ...yes, ...wrong })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(proposals.reject('wb_404', yes)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it.each([{}, { by: '', reason: 'x' }, { by: 'policy_gate', reason: 'x' }, { by: 'me' }])(
    'wants to know who decides and why: %j',
    async (decision) => {
      const { proposals, decisions } = await start()
      await expect(proposals.approve(PROPOSAL, decision as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      expect(await decisions()).toEqual([])
    },
  )

  it('decides in a transaction and applies outside of it', async () => {
    const { proposals, store, decisions } = await start()
    const failing = store.storage.transaction(async (tx) => {
      await proposals.with(tx).approve(PROPOSAL, yes)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await decisions()).toEqual([])
    await store.storage.transaction((tx) => proposals.with(tx).approve(PROPOSAL, yes))
    const handler = vi.fn()
    await expect(store.storage.transaction((tx) => proposals.with(tx).apply(PROPOSAL, handler))).rejects.toMatchObject({
      code: 'HANDLER_IN_TRANSACTION',
    })
    expect(handler).not.toHaveBeenCalled()
  })
}
