import type { Store } from '@minions/core/storage'
import { describe, expect, it } from 'vitest'
import { leasesCollection, runsCollection, subagentsCollection } from '../../src/runtime/state/collections.js'
import { injectFaults, scriptedSkill, settle } from '../../src/testing/index.js'
import { backends, stores } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

describe.each(backends)('executing with $name', (backend) => {
  it('spawns a subagent, runs one skill and tells of both', async () => {
    const skill = scriptedSkill('skill', [{ return: { ok: true } }])
    const { manager } = await setUp(backend, [skill])
    const told: string[] = []
    manager.events.on('agent.spawned', () => told.push('spawned'))
    manager.events.on('agent.transition', ({ to }) => told.push(to))
    manager.events.on('execution.started', () => told.push('started'))
    expect(await manager.execute('skill', {}, { agent: { name: 'One', metadata: { task_id: 't' } } })).toEqual({
      ok: true,
    })
    expect(await manager.list()).toMatchObject([
      { name: 'One', state: 'completed', metadata: { task_id: 't' }, results: { skill: { ok: true } } },
    ])
    expect(await manager.executions()).toMatchObject([{ status: 'success', retry_count: 0 }])
    expect(told).toEqual(['spawned', 'started', 'running', 'completed'])
  })

  it('leaves nothing when nothing can run', async () => {
    const { manager } = await setUp(backend, [scriptedSkill('skill')])
    await expect(manager.execute('unknown')).rejects.toMatchObject(coded('NOT_FOUND'))
    await expect(manager.execute('skill', [] as object)).rejects.toMatchObject(coded('VALIDATION_FAILED'))
    await expect(manager.execute('skill', {}, { maxRetries: -1 })).rejects.toMatchObject(coded('VALIDATION_FAILED'))
    await expect(manager.execute('skill', {}, { storeAfter: -1 })).rejects.toMatchObject(coded('VALIDATION_FAILED'))
    await expect(manager.execute('skill', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject(
      coded('CANCELLED'),
    )
    expect(await manager.list()).toEqual([])
  })

  it('can be called off while it waits for capacity, and while it runs', async () => {
    const skill = scriptedSkill('skill', [{ hang: true }], { timeout: 3600 })
    const { manager } = await setUp(backend, [skill], { limits: { agents: 1 } })
    const [first, second] = [new AbortController(), new AbortController()]
    const running = manager.execute('skill', {}, { signal: first.signal })
    const waiting = manager.execute('skill', {}, { signal: second.signal })
    const outcomes = Promise.allSettled([running, waiting])
    await settle()
    second.abort()
    await settle()
    first.abort()
    expect(await outcomes).toMatchObject([{ reason: { code: 'CANCELLED' } }, { reason: { code: 'CANCELLED' } }])
    expect(await manager.list()).toMatchObject([{ state: 'failed', error: 'cancelled' }])
    expect(skill.calls).toHaveLength(1)
  })

  it('is retried as often as the run says', async () => {
    const skill = scriptedSkill('skill', [{ throw: 'no' }, { throw: 'no' }, { return: {} }], { max_retries: 0 })
    const { manager, clock } = await setUp(backend, [skill])
    await expect(clock.until(manager.execute('skill'))).rejects.toMatchObject(coded('SKILL_FAILED'))
    expect(await clock.until(manager.execute('skill', {}, { maxRetries: 1 }))).toEqual({})
    const retries = (await manager.executions()).map(({ retry_count }) => retry_count)
    expect(retries.sort()).toEqual([0, 1])
  })
})

describe.each(stores)('storing later on $name', (backend) => {
  const states = (store: Store | undefined) =>
    store?.find(subagentsCollection).then(({ items }) => items.map(({ state }) => state))

  it('takes one write for an execution that ends before', async () => {
    const { another, store } = await setUp(backend, [scriptedSkill('skill', [{ return: {} }])])
    const counted = injectFaults(store as Store)
    const manager = await another(undefined, { storage: counted })
    await manager.flush()
    counted.inject(() => undefined)
    await manager.execute('skill', {}, { storeAfter: 1000 })
    expect(counted.transactions).toBe(1)
    expect(await states(store)).toEqual(['completed'])
    expect(await (store as Store).count(leasesCollection)).toBe(0)
    expect(await (store as Store).count(runsCollection)).toBe(0)
  })

  it('stores one that still runs, with its lease, and tells of it then', async () => {
    const gate = deferred()
    const skill = scriptedSkill('skill', [[{ wait: () => gate.promise }, { return: {} }]], { timeout: 3600 })
    const { manager, clock, store } = await setUp(backend, [skill])
    const told: string[] = []
    manager.events.on('execution.started', () => told.push('started'))
    const running = manager.execute('skill', {}, { storeAfter: 1000 })
    await settle()
    expect(await states(store)).toEqual([])
    expect(told).toEqual([])
    const agentId = skill.calls[0]?.agentId as string
    expect(await manager.get(agentId)).toMatchObject({ state: 'running' })
    await clock.advance(1000)
    await settle()
    expect(await states(store)).toEqual(['running'])
    expect(await (store as Store).count(leasesCollection)).toBe(1)
    expect(told).toEqual(['started'])
    gate.resolve()
    expect(await clock.until(running)).toEqual({})
    expect(await states(store)).toEqual(['completed'])
  })

  it('stores one that is cancelled, fails or reaches a checkpoint before', async () => {
    const hanging = scriptedSkill('hanging', [{ hang: true }], { timeout: 3600 })
    const failing = scriptedSkill('failing', [{ throw: 'no' }], { max_retries: 0 })
    const checked = scriptedSkill('checked', [[{ checkpoint: 1 }, { hang: true }]], { timeout: 3600 })
    const { manager, store } = await setUp(backend, [hanging, failing, checked])
    const later = { storeAfter: 1000 }
    const cancelled = manager.execute('hanging', {}, later)
    cancelled.catch(() => undefined)
    await settle()
    await manager.cancel(hanging.calls[0]?.agentId as string)
    await expect(cancelled).rejects.toMatchObject(coded('CANCELLED'))
    await expect(manager.execute('failing', {}, later)).rejects.toMatchObject(coded('SKILL_FAILED'))
    manager.execute('checked', {}, later).catch(() => undefined)
    await settle()
    expect((await states(store))?.sort()).toEqual(['failed', 'failed', 'running'])
    expect((await manager.executions()).map(({ status }) => status).sort()).toEqual(['failed', 'failed', 'pending'])
  })

  it('leaves one that a shutdown breaks off to be resumed', async () => {
    const skill = scriptedSkill('skill', [{ hang: true }, { return: { resumed: true } }], { timeout: 3600 })
    const { manager, another, clock } = await setUp(backend, [skill])
    const running = manager.execute('skill', {}, { storeAfter: 1000 })
    running.catch(() => undefined)
    await settle()
    await manager.shutdown(0)
    await expect(running).rejects.toMatchObject(coded('INTERRUPTED'))
    const other = await another()
    const agentId = skill.calls[0]?.agentId as string
    await clock.until(other.resume(agentId))
    expect(await clock.until(other.wait(agentId))).toMatchObject({ results: { skill: { resumed: true } } })
  })
})
