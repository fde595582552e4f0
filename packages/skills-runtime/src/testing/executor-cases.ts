import assert from 'node:assert/strict'
import type { JsonObject } from '@minions/core/json'
import type { Executor } from '../jobs/executor.js'
import { JOB_LIMITS, type Job } from '../jobs/job/job-schema.js'
import {
  connect,
  done,
  gate,
  numbered,
  type Perform,
  refused,
  sorted,
  submitOne,
  turn,
  untilAborted,
  untilFinished,
  waitAll,
} from './executor-workers.js'

/** A cluster of executors to test. */
export interface ExecutorCluster {
  /** Another member of the cluster, as in another process; the same one if jobs stay in the process. */
  join(): Executor | Promise<Executor>
  close?(): void | Promise<void>
}

/** One requirement of every executor. */
export interface ExecutorCase {
  readonly name: string
  /** Rejects if the executor fails it. Each run gets its own cluster. */
  run(createCluster: () => ExecutorCluster | Promise<ExecutorCluster>): Promise<void>
}

/** A case gets a member of its cluster, and a function with which others join. */
type Test = (executor: Executor, join: () => Promise<Executor>) => Promise<void>

function executorCase(name: string, test: Test): ExecutorCase {
  return {
    name,
    async run(createCluster) {
      const cluster = await createCluster()
      const joined = new Set<Executor>()
      const join = async () => {
        const executor = await cluster.join()
        joined.add(executor)
        return executor
      }
      try {
        await test(await join(), join)
      } finally {
        for (const executor of joined) await executor.close()
        await cluster.close?.()
      }
    },
  }
}

/** The requirements of an `Executor`. Run each with your test runner: `it(name, () => run(createCluster))`. */
export const executorCases: readonly ExecutorCase[] = [
  executorCase(
    'gives a job to one worker that has its skill, and its result to the waiting caller',
    async (here, join) => {
      const there = await join()
      const [first] = await connect(there)
      const [second] = await connect(here, { skills: ['swim@1.0.0'] })
      const [job] = await here.submit([{ skill: 'walk', params: { n: 1 }, tenant: 'acme', metadata: { why: 'test' } }])
      assert.equal(job?.status, 'waiting')
      const ended = await here.wait(job?.job_id as string)
      assert.equal(ended.status, 'completed')
      assert.deepEqual(ended.result, { n: 1 })
      assert.deepEqual(ended.metadata, { why: 'test' })
      assert.equal(ended.worker_id, first.worker_id)
      assert.equal(first.got.length, 1)
      assert.equal(first.got[0]?.deliveries, 1)
      assert.equal(second.got.length, 0)
      assert.deepEqual(await there.get(ended.job_id), ended)
    },
  ),

  executorCase('takes a job of one id once', async (executor) => {
    const job = { id: 'same', skill: 'walk', params: { n: 1 } }
    const [first, second] = await executor.submit([job, { ...job, params: { n: 2 } }])
    assert.deepEqual(first, second)
    assert.deepEqual(first?.parameters, job.params)
    const [worker] = await connect(executor)
    await executor.wait('same')
    const [known] = await executor.submit([{ ...job, params: { n: 3 } }])
    assert.equal(known?.status, 'completed')
    assert.deepEqual(worker.numbers, [known?.parameters.n])
  }),

  executorCase('gives a job only to a worker with the version and the tags that it needs', async (executor) => {
    const [old] = await connect(executor, { skills: ['walk@1.0.0'] })
    const [tagged] = await connect(executor, { skills: ['walk@2.0.0'], tags: ['gpu', 'eu'] })
    const jobs = await executor.submit([
      { skill: 'walk', version: '2.0.0', params: { n: 'new' } },
      { skill: 'walk', version: '1.0.0', params: { n: 'old' } },
      { skill: 'walk', tags: ['gpu'], params: { n: 'gpu' } },
      { skill: 'walk', tags: ['gpu', 'eu'], params: { n: 'both' } },
    ])
    await waitAll(executor, jobs)
    assert.deepEqual(old.numbers, ['old'])
    assert.deepEqual([...tagged.numbers].sort(), ['both', 'gpu', 'new'])
  }),

  executorCase('reports jobs that no worker can do, and keeps them for one that can', async (executor) => {
    await connect(executor, { skills: ['swim@1.0.0'] })
    const id = await submitOne(executor, { version: '3.0.0', tags: ['gpu'] })
    const before = await executor.status()
    assert.deepEqual(before.unserved, ['walk@3.0.0 [gpu]'])
    assert.equal(before.oldest?.job_id, id)
    await connect(executor, { skills: ['walk@3.0.0'], tags: ['gpu'] })
    assert.deepEqual((await executor.status()).unserved, [])
    assert.equal((await executor.wait(id)).status, 'completed')
  }),

  executorCase('gives the most urgent job first, and of equals the one that came first', async (executor) => {
    const jobs = []
    for (const [n, priority] of [5, 9, 1, 5, 1].entries()) {
      jobs.push(...(await executor.submit([{ skill: 'walk', params: { n }, priority }])))
    }
    const [worker] = await connect(executor, { concurrency: 1 })
    await waitAll(executor, jobs)
    assert.deepEqual(worker.numbers, [2, 4, 0, 3, 1])
  }),

  executorCase('holds a job back until it is due', async (executor) => {
    const early: unknown[] = []
    const perform: Perform = (delivery) => {
      if (Date.now() < delivery.job.due_at) early.push(delivery.job.parameters.n)
      return done(delivery)
    }
    const [worker] = await connect(executor, { concurrency: 1, perform })
    const [first, second, never] = await executor.submit([
      { skill: 'walk', params: { n: 'later' }, delay: 300, priority: 1 },
      { skill: 'walk', params: { n: 'at once' } },
      { skill: 'walk', params: { n: 'tomorrow' }, delay: 86_400_000 },
    ])
    await waitAll(executor, [first as Job, second as Job])
    assert.deepEqual([...worker.numbers].sort(), ['at once', 'later'])
    assert.deepEqual(early, [])
    assert.equal((await executor.status()).delayed, 1)
    assert.equal((await executor.get(never?.job_id as string))?.status, 'waiting')
  }),

  executorCase('never gives a worker more jobs at once than it takes', async (executor) => {
    const held = gate()
    const perform: Perform = async (delivery, worker) => {
      if (worker.running === 3) held.open()
      await held.opened
      return done(delivery)
    }
    const [worker] = await connect(executor, { concurrency: 3, perform })
    await waitAll(executor, await executor.submit(numbered(20)))
    assert.equal(worker.most, 3)
    assert.equal(worker.got.length, 20)
  }),

  executorCase('gives a job that only waits for others no slot', async (executor) => {
    const perform: Perform = async (delivery) => {
      if (delivery.job.skill_name === 'lead') {
        await executor.wait(await submitOne(executor))
      }
      return done(delivery)
    }
    await connect(executor, { skills: ['walk@1.0.0', 'lead@1.0.0'], concurrency: 1, perform })
    const jobs = await executor.submit([
      { skill: 'lead', weight: 0 },
      { skill: 'lead', weight: 0 },
    ])
    for (const { status } of await waitAll(executor, jobs)) assert.equal(status, 'completed')
  }),

  executorCase('keeps failed jobs as dead letters that can be sent again', async (here, join) => {
    const there = await join()
    let fails = true
    const perform: Perform = (delivery) => {
      if (fails) throw Object.assign(new Error('out of paper'), { code: 'PAPER' })
      return done(delivery)
    }
    const [worker] = await connect(there, { perform })
    const id = await submitOne(here)
    const failed = await here.wait(id)
    assert.equal(failed.status, 'failed')
    assert.deepEqual(failed.error, { code: 'PAPER', message: 'out of paper' })
    assert.deepEqual(
      (await here.list({ status: 'failed' })).map(({ job_id }) => job_id),
      [id],
    )
    assert.equal((await here.status()).failed, 1)
    fails = false
    const again = await here.resend(id)
    assert.equal(again.status, 'waiting')
    assert.notEqual(again.agent_id, failed.agent_id)
    const ended = await here.wait(id)
    assert.equal(ended.status, 'completed')
    assert.equal(ended.error, null)
    assert.equal(worker.got.length, 2)
    await refused(here.resend(id), 'CONFLICT')
    await here.remove(id)
    assert.equal(await here.get(id), undefined)
  }),

  executorCase('takes an answer that is not an outcome, and a rejection, for a failure', async (executor) => {
    await connect(executor, { perform: () => Promise.reject(new Error('broken')) })
    const { status, error } = await executor.wait(await submitOne(executor))
    assert.equal(status, 'failed')
    assert.equal(error?.message, 'broken')
  }),

  executorCase('cancels a job that waits, and aborts one in the hands of a worker elsewhere', async (here, join) => {
    const there = await join()
    assert.equal((await here.cancel(await submitOne(here))).status, 'cancelled')
    const began = gate()
    const [worker] = await connect(there, { perform: untilAborted(began.open) })
    const id = await submitOne(here)
    await began.opened
    assert.equal((await here.cancel(id)).status, 'cancelled')
    assert.equal((await here.wait(id)).status, 'cancelled')
    while (worker.running > 0) await turn()
    assert.equal((await here.get(id))?.status, 'cancelled')
    await refused(here.cancel(id), 'CONFLICT')
    assert.equal(worker.got.length, 1)
  }),

  executorCase('gives a job that was given back to a worker again, and does not count that', async (executor) => {
    const perform: Perform = (delivery, worker) => (worker.got.length < 3 ? { status: 'released' } : done(delivery))
    const [worker] = await connect(executor, { perform })
    const ended = await executor.wait(await submitOne(executor))
    assert.equal(ended.status, 'completed')
    assert.equal(ended.deliveries, 1)
    assert.equal(worker.got.length, 3)
  }),

  executorCase('drains a worker: it ends what it has and takes nothing more', async (here, join) => {
    const there = await join()
    const { perform, began, finish } = untilFinished()
    const [worker, link] = await connect(there, { concurrency: 1, perform })
    const jobs = await here.submit(numbered(3))
    await began
    const drained = link.drain()
    finish()
    await drained
    assert.equal(worker.got.length, 1)
    assert.equal((await here.get(worker.got[0]?.job_id as string))?.status, 'completed')
    assert.equal((await here.status()).waiting, 2)
    const [next] = await connect(here)
    await waitAll(here, jobs)
    assert.equal(next.got.length, 2)
  }),

  executorCase(
    'breaks off what a drained worker does not end in time, for another worker to do',
    async (here, join) => {
      const there = await join()
      const began = gate()
      const [, link] = await connect(there, { perform: untilAborted(began.open) })
      const id = await submitOne(here)
      await began.opened
      await link.drain(0)
      const [next] = await connect(here)
      assert.equal((await here.wait(id)).status, 'completed')
      assert.equal(next.got.length, 1)
    },
  ),

  executorCase('carries every JSON value unchanged', async (here, join) => {
    const there = await join()
    const params = JSON.parse('{"__proto__":{"a":1},"toString":[null,true,1e-7,"\\u2028 😀"],"":{"deep":[[[]]]}}')
    const perform: Perform = ({ job }) => ({ status: 'completed', result: job.parameters as JsonObject })
    await connect(there, { perform })
    const { result } = await here.wait(await submitOne(here, { params }))
    assert.equal(JSON.stringify(sorted(result)), JSON.stringify(sorted(params)))
  }),

  executorCase('refuses what cannot be a job, and then takes none of what came with it', async (executor) => {
    const large = 'x'.repeat(JOB_LIMITS.parameters)
    const good = { skill: 'walk' }
    for (const bad of [{ skill: '' }, { skill: 'walk', params: { large } }, { skill: 'walk', priority: 0 }]) {
      await refused(executor.submit([good, bad]), 'VALIDATION_FAILED')
    }
    await refused(executor.submit([good, { skill: 'walk', runAt: 'soon' }]), 'VALIDATION_FAILED')
    assert.deepEqual(await executor.list(), [])
  }),

  executorCase('says of a job that it does not know that there is none', async (executor) => {
    for (const call of ['wait', 'cancel', 'resend', 'remove'] as const) {
      await refused(executor[call]('no-such-job'), 'NOT_FOUND')
    }
    assert.equal(await executor.get('no-such-job'), undefined)
  }),

  executorCase('shows who works, what runs and what waits', async (here, join) => {
    const there = await join()
    const { perform, began, finish } = untilFinished()
    const [worker] = await connect(there, { concurrency: 1, tags: ['eu'], perform })
    const jobs = await here.submit([...numbered(2), { skill: 'walk', delay: 60_000 }])
    await began
    const status = await here.status()
    assert.equal(status.running, 1)
    assert.equal(status.waiting, 1)
    assert.equal(status.delayed, 1)
    const [shown] = status.workers
    assert.equal(shown?.worker_id, worker.worker_id)
    assert.equal(shown?.state, 'active')
    assert.deepEqual(shown?.tags, ['eu'])
    assert.deepEqual(shown?.skills, ['walk@1.0.0'])
    assert.deepEqual(
      shown?.running.map(({ job_id }) => job_id),
      [worker.got[0]?.job_id],
    )
    const [queue] = status.queues
    assert.deepEqual([queue?.skill_name, queue?.waiting, queue?.delayed, queue?.running], ['walk', 1, 1, 1])
    finish()
    await waitAll(here, jobs.slice(0, 2))
    assert.equal((await here.status()).completed_last_minute, 2)
  }),

  executorCase('keeps the limit of a skill over all workers', async (here, join) => {
    const there = await join()
    if (!here.capabilities.limits) return refused(here.setLimit('walk', 1), 'CAPABILITY_MISSING')
    await here.setLimit('walk', 2)
    let running = 0
    let most = 0
    const perform: Perform = async (delivery) => {
      most = Math.max(most, ++running)
      await turn()
      running--
      return done(delivery)
    }
    await connect(here, { perform })
    await connect(there, { perform })
    await waitAll(here, await here.submit(numbered(12)))
    assert.ok(most <= 2, `${most} ran at once`)
    await here.setLimit('walk', null)
    await waitAll(here, await here.submit(numbered(2)))
  }),

  executorCase('lets tenants take turns, however many jobs one of them has', async (executor) => {
    if (!executor.capabilities.fair) return
    const jobs = [...(await executor.submit(numbered(20, { tenant: 'large' })))]
    jobs.push(...(await executor.submit(numbered(2, { tenant: 'small' }))))
    const [worker] = await connect(executor, { concurrency: 1 })
    await waitAll(executor, jobs)
    const last = worker.got.map(({ tenant_id }) => tenant_id).lastIndexOf('small')
    assert.ok(last < 6, `the last job of the small tenant was number ${last + 1}`)
  }),

  executorCase('completes every job once when many submit and many work', async (first, join) => {
    const members = [first, await join(), await join()]
    const recorders = []
    for (const member of members) recorders.push((await connect(member, { concurrency: 5 }))[0])
    const submitted = await Promise.all(members.map((member) => member.submit(numbered(40))))
    const all = submitted.flat()
    const ended = await waitAll(first, all)
    assert.ok(ended.every(({ status }) => status === 'completed'))
    const got = recorders.flatMap((recorder) => recorder.got.map(({ job_id }) => job_id))
    assert.deepEqual(got.sort(), all.map(({ job_id }) => job_id).sort())
  }),

  executorCase('ends waiting when it is closed or told to', async (executor) => {
    const id = await submitOne(executor)
    const stop = new AbortController()
    const stopped = executor.wait(id, { signal: stop.signal })
    stop.abort(new Error('no longer needed'))
    await assert.rejects(stopped, /no longer needed/)
    const waiting = refused(executor.wait(id), 'CLOSED')
    await executor.close()
    await waiting
    await refused(executor.submit([{ skill: 'walk' }]), 'CLOSED')
  }),
]
