import { systemTimers } from '@minions/core/coordination'
import { describe, expect, it } from 'vitest'
import { JobClaimer } from '../../src/jobs/store/claim-jobs.js'
import { cluster, process, skill } from '../support/job-processes.js'

const walk = skill('walk', () => ({}))

describe('the limit of a skill', () => {
  it('may be higher than what is read at once, and is refused beyond its maximum', async () => {
    const { queue } = await process(cluster(), [walk])
    await queue.executor.setLimit('walk', 1_000_000)
    const { job_id } = await queue.submit({ skill: 'walk' })
    await queue.work()
    expect(await queue.wait(job_id)).toMatchObject({ status: 'completed' })
    await queue.limit('walk', 100_000)
    await expect(queue.limit('walk', 100_001)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('does not bring its jobs before more urgent ones of other skills', async () => {
    const order: unknown[] = []
    const note = (name: string) =>
      skill(name, ({ n }) => {
        order.push(n)
        return {}
      })
    const { queue } = await process(cluster(), [note('limited'), note('other')])
    await queue.limit('limited', 50)
    const jobs = await queue.submitAll([
      { skill: 'limited', priority: 9, params: { n: 4 } },
      { skill: 'limited', priority: 2, params: { n: 2 } },
      { skill: 'other', priority: 1, params: { n: 1 } },
      { skill: 'other', priority: 5, params: { n: 3 } },
    ])
    await queue.work({ concurrency: 1 })
    for (const { job_id } of jobs) await queue.wait(job_id)
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('holds for each skill when jobs of several are claimed at once, and leaves the other slots to the rest', async () => {
    const { queue, store } = await process(cluster(), [])
    await queue.limit('a', 2)
    await queue.limit('b', 1)
    const of = (name: string, priority: number) => Array.from({ length: 5 }, () => ({ skill: name, priority }))
    await queue.submitAll([...of('a', 1), ...of('b', 2), ...of('c', 3)])
    const claimer = new JobClaimer({ store, clock: Date.now, timers: systemTimers })
    const served = { queues: ['a@*', 'b@*', 'c@*'], tagKeys: [''] }
    const claim = async (slots: number) =>
      (await claimer.claim('worker', served, slots)).map(({ record }) => record.skill_name)
    expect(await claim(6)).toEqual(['a', 'a', 'b', 'c', 'c', 'c'])
    expect(await claim(6)).toEqual(['c', 'c'])
    expect(await claim(6)).toEqual([])
  })
})
