import { memoryStorage } from '@minions/core/memory'
import { Store } from '@minions/core/storage'
import { describe, expect, it } from 'vitest'
import { skillsCollections } from '../../src/index.js'
import { subagentsCollection } from '../../src/runtime/state/collections.js'
import { injectFaults, scriptedSkill, VirtualClock } from '../../src/testing/index.js'

describe('the virtual clock', () => {
  it('fires timers in order, at their time, and only when time passes', async () => {
    const clock = new VirtualClock(0)
    const fired: string[] = []
    clock.timers.set(20, () => fired.push(`b ${clock.now}`))
    clock.timers.set(10, () => {
      fired.push(`a ${clock.now}`)
      clock.timers.set(5, () => fired.push(`c ${clock.now}`))
    })
    clock.timers.set(10, () => fired.push(`a2 ${clock.now}`))
    const cancel = clock.timers.set(12, () => fired.push('never'))
    cancel()
    expect(clock.pending).toBe(3)
    await clock.advance(9)
    expect(fired).toEqual([])
    await clock.advance(11)
    expect(fired).toEqual(['a 10', 'a2 10', 'c 15', 'b 20'])
    expect(clock.timestamp).toBe('1970-01-01T00:00:00.020Z')
  })

  it('runs until a promise settles and no longer', async () => {
    const clock = new VirtualClock(0)
    expect(await clock.until(clock.sleep(1000).then(() => 'done'))).toBe('done')
    expect(clock.now).toBe(1000)
    await expect(clock.until(Promise.reject(new Error('x')))).rejects.toThrow('x')
    await expect(clock.until(new Promise(() => {}))).rejects.toThrow(/No timer/)
  })
})

describe('fault injection', () => {
  it('fails before or after a transaction is made', async () => {
    const store = await Store.open(memoryStorage(), skillsCollections)
    const faulty = injectFaults(store)
    const agent = (agent_id: string) => ({
      agent_id,
      state: 'idle' as const,
      results: {},
      created_at: '2026-01-01T00:00:00Z',
    })
    faulty.inject((transaction) => (['before', 'after', undefined] as const)[transaction - 1])
    await expect(faulty.put(subagentsCollection, agent('a'))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    await expect(faulty.put(subagentsCollection, agent('b'))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    await faulty.put(subagentsCollection, agent('c'))
    expect(faulty.transactions).toBe(3)
    expect((await faulty.find(subagentsCollection)).items.map(({ agent_id }) => agent_id)).toEqual(['b', 'c'])
  })
})

describe('scripted skills', () => {
  it('are skills, and repeat the last line of their script', async () => {
    const skill = scriptedSkill('skill', [{ throw: new Error('one') }, { return: { n: 2 } }])
    const context = { attempt: 1 } as never
    await expect(skill.execute?.({}, context)).rejects.toThrow('one')
    expect(await skill.execute?.({ a: 1 }, context)).toEqual({ n: 2 })
    expect(await skill.execute?.({}, context)).toEqual({ n: 2 })
    expect(skill.calls.map(({ params }) => params)).toEqual([{}, { a: 1 }, {}])
  })
})
