import { memoryStorage } from '@minions/core/memory'
import { defineCollection, type Revised, Store, WriteBatch } from '@minions/core/storage'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { type Job, jobsCollections, type WorkerRecord } from '../../src/jobs/index.js'
import { JobLedger } from '../../src/jobs/store/job-ledger.js'
import { WorkerRoster } from '../../src/jobs/store/worker-roster.js'

const commits = defineCollection({
  name: 'commits',
  version: 1,
  schema: Type.Object({ id: Type.String() }),
  key: 'id',
})

const SERVED = { queues: ['walk@*'], tagKeys: [''] }
const JOB = 'the-job'
/** How often each worker takes the job; with 2 there are 10,000 states, which takes minutes. */
const CLAIMS = Number(process.env.MINIONS_MODEL_CLAIMS ?? 1)

/** A worker as far as it knows about itself. */
interface Worker {
  id: string
  name: string
  pc: 'free' | 'held' | 'done' | 'unsure' | 'dead'
  held: Revised<Job> | undefined
  claims: number
  lives: number
}

/** One job, two workers, and everything that can come between them, one step of the store at a time. */
class World {
  readonly store: Store
  readonly ledger: JobLedger
  readonly roster: WorkerRoster
  readonly workers: readonly Worker[]
  readonly effects = new Set<string>()
  commitCount = 0

  private constructor(store: Store) {
    this.store = store
    this.ledger = new JobLedger(store, { clock: () => 1_000_000 })
    this.roster = new WorkerRoster(store)
    this.workers = ['a', 'b'].map((name) => ({ id: name, name, pc: 'free', held: undefined, claims: 0, lives: 1 }))
  }

  static async open(): Promise<World> {
    const world = new World(await Store.open(memoryStorage(), [...jobsCollections, commits]))
    await world.ledger.add([{ id: JOB, skill: 'walk', maxDeliveries: 100 }])
    for (const { id } of world.workers) await world.roster.join(record(id))
    return world
  }

  /** Everything that can happen next. */
  async actions(): Promise<Map<string, () => Promise<void>>> {
    const all = new Map<string, () => Promise<void>>()
    const present = new Map((await this.roster.all()).map((each) => [each.record.worker_id, each]))
    const job = (await this.ledger.get(JOB)) as Job
    for (const worker of this.workers) {
      const { name, id, pc } = worker
      const own = present.get(id)
      if (pc !== 'dead') {
        if (pc === 'free' && worker.claims < CLAIMS) {
          all.set(`${name} claims`, () => this.#claim(worker, false))
          all.set(`${name} claims, and the answer is lost`, () => this.#claim(worker, true))
        }
        if (pc === 'held' || pc === 'done') {
          all.set(`${name} is told again of the job that it has`, () => this.#deliverAgain(worker))
        }
        if (pc === 'held') {
          all.set(`${name} does it`, async () => {
            this.effects.add((worker.held as Revised<Job>).record.job_id)
            worker.pc = 'done'
          })
        }
        if (pc === 'done') {
          all.set(`${name} commits`, () => this.#commit(worker, false))
          all.set(`${name} commits, and the answer is lost`, () => this.#commit(worker, true))
          all.set(`${name} gives it back`, () => this.#release(worker))
        }
        if (pc === 'unsure') all.set(`${name} gives back what it is unsure of`, () => this.#release(worker))
        if (pc === 'free' && job.worker_id === id && job.status === 'running') {
          all.set(`${name} finds a job that it does not have`, () => this.#giveBack(worker))
        }
        if (own === undefined && worker.lives < (name === 'a' ? 2 : CLAIMS))
          all.set(`${name} finds that it was marked dead`, () => this.#rise(worker))
        all.set(`${name} is killed`, async () => {
          worker.pc = 'dead'
        })
      }
      // A lease may run out at any moment as far as the other worker can tell.
      if (own) {
        all.set(`${name} is marked dead`, async () => {
          await this.roster.markDead(own)
        })
      }
    }
    const holder = job.status === 'running' ? job.worker_id : null
    if (holder !== null && !present.has(holder)) {
      all.set('the job of a worker that is gone is taken', async () => {
        await this.ledger.takeFrom(holder)
      })
    }
    return all
  }

  /** The state, without what differs from one search to the next. */
  async key(): Promise<string> {
    const [found] = await this.ledger.getMany([JOB])
    const present = (await this.roster.all()).map(({ record: each }) => each.worker_id)
    const { status, worker_id } = (found as Revised<Job>).record
    const workers = this.workers.map(({ id, pc, held, claims, lives }) => {
      return [pc, held?.revision === found?.revision, present.includes(id), worker_id === id, claims, lives]
    })
    return JSON.stringify([status, worker_id === null, this.effects.size, this.commitCount, workers])
  }

  async check(path: readonly string[]): Promise<void> {
    const told = path.join(' · ')
    expect(this.commitCount, told).toBeLessThanOrEqual(1)
    expect(await this.store.count(commits), told).toBe(this.commitCount)
    expect(this.effects.size, told).toBeLessThanOrEqual(1)
    const job = await this.ledger.get(JOB)
    expect(job?.status === 'completed', told).toBe(this.commitCount === 1)
  }

  /** Whatever has happened, a third worker that outlives the others gets the job done. */
  async recover(path: readonly string[]): Promise<void> {
    for (const worker of await this.roster.all()) await this.roster.markDead(worker)
    await this.ledger.takeFrom((await this.ledger.get(JOB))?.worker_id ?? '')
    const third: Worker = { id: 'c', name: 'c', pc: 'free', held: undefined, claims: 0, lives: 1 }
    await this.#claim(third, false)
    if (third.held) await this.#commit(third, false)
    const told = path.join(' · ')
    expect(this.commitCount, told).toBe(1)
    expect((await this.ledger.get(JOB))?.status, told).toBe('completed')
    // Those that were left behind wake up and try to end it as well.
    for (const worker of this.workers) {
      if (worker.held) await this.#commit(worker, false)
      if (worker.held) await this.#release(worker)
    }
    await this.check(path)
  }

  async #claim(worker: Worker, isLost: boolean): Promise<void> {
    const [held] = await this.ledger.claim(worker.id, SERVED, 1)
    worker.claims++
    if (held === undefined || isLost) return
    worker.held = held
    worker.pc = 'held'
  }

  /** A queue that delivers twice: the worker claims once more, and gets the job only if it has lost it meanwhile. */
  async #deliverAgain(worker: Worker): Promise<void> {
    const before = worker.held as Revised<Job>
    const [held] = await this.ledger.claim(worker.id, SERVED, 1)
    if (held === undefined) return
    expect(await this.ledger.end(before, { status: 'completed', result: {} })).toBe(false)
    worker.held = held
    worker.pc = 'held'
  }

  async #commit(worker: Worker, isLost: boolean): Promise<void> {
    const held = worker.held as Revised<Job>
    const batch = new WriteBatch()
    batch.put(commits, { id: `${worker.id} ${worker.claims}` })
    await this.ledger.commitWork(held, { by: worker.name })(batch, 1)
    try {
      await this.store.write(batch)
      this.commitCount++
    } catch (error) {
      expect(error).toMatchObject({ code: 'CONFLICT' })
    }
    worker.pc = isLost ? 'unsure' : 'free'
    if (!isLost) worker.held = undefined
  }

  async #release(worker: Worker): Promise<void> {
    await this.ledger.end(worker.held as Revised<Job>, { status: 'released' })
    worker.held = undefined
    worker.pc = 'free'
  }

  async #giveBack(worker: Worker): Promise<void> {
    const [found] = await this.ledger.getMany([JOB])
    if (found?.record.worker_id === worker.id) await this.ledger.end(found, { status: 'released' })
  }

  async #rise(worker: Worker): Promise<void> {
    worker.lives++
    worker.id = `${worker.name}/${worker.lives}`
    worker.pc = 'free'
    worker.held = undefined
    await this.roster.join(record(worker.id))
  }
}

function record(worker_id: string): WorkerRecord {
  const at = '2026-01-31T09:30:00.000Z'
  const counts = { beat: 0, pid: 1, concurrency: 1, completed: 0, failed: 0, lease_ms: 1000 }
  return { worker_id, host: 'here', state: 'active', tags: [], skills: [], started_at: at, seen_at: at, ...counts }
}

async function replay(path: readonly string[]): Promise<World> {
  const world = await World.open()
  for (const name of path) await (await world.actions()).get(name)?.()
  return world
}

it('completes a job once, and never loses it, in every interleaving of two workers that die, stop and are delivered to twice', async () => {
  const seen = new Set<string>()
  // In their order, so that each state is reached by the shortest path, which is replayed for every step behind it.
  const open: string[][] = [[]]
  let searched = 0
  for (const path of open) {
    const world = await replay(path)
    searched++
    const key = await world.key()
    if (!seen.has(key)) {
      seen.add(key)
      await world.check(path)
      for (const name of (await world.actions()).keys()) open.push([...path, name])
      await world.recover(path)
    }
    await world.store.close()
  }
  expect(seen.size).toBeGreaterThan(300)
  expect(searched).toBeGreaterThan(seen.size)
}, 300_000)
