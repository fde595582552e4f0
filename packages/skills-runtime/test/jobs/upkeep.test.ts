import { expect, it } from 'vitest'
import { cluster, process, skill } from '../support/job-processes.js'

it('removes all jobs that are old enough at once, and no others', async () => {
  let now = Date.parse('2026-01-31T03:00:00Z')
  const shared = cluster({ clock: () => now })
  const { ledger } = await shared.join()
  await ledger.add(Array.from({ length: 1201 }, () => ({ skill: 'walk' })))
  const claimed = await ledger.claim('worker', { queues: ['walk@*'], tagKeys: [''] }, 1200)
  for (const job of claimed) await ledger.end(job, { status: 'completed', result: {} })
  expect(await ledger.prune(1000)).toBe(0)
  now += 2000
  expect(await ledger.prune(1000)).toBe(1200)
  expect(await ledger.list()).toMatchObject([{ status: 'waiting' }])
})

it('refuses to wait for what cannot be a job, and goes on for all others', async () => {
  const { queue } = await process(cluster(), [skill('walk', () => ({}))])
  const { job_id } = await queue.submit({ skill: 'walk' })
  const waiting = queue.wait(job_id)
  for (const bad of ['x'.repeat(200), '', '\ud800', 'a\0b', 'none']) {
    await expect(queue.wait(bad)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  await expect(queue.wait(7 as never)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await queue.work()
  expect(await waiting).toMatchObject({ status: 'completed' })
})
