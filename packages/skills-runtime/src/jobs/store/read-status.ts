import type { Clock } from '@minions/core'
import { readMillis } from '@minions/core/plugin'
import type { StoreReader } from '@minions/core/storage'
import type { ClusterQueue, ClusterStatus, ClusterWorker } from '../cluster-status.js'
import type { SkillVersion } from '../executor.js'
import type { Job } from '../job/job-schema.js'
import { type Served, servedBy, serves } from '../job/queue-name.js'
import { jobsCollection, limitsCollection, type WorkerRecord, workersCollection } from './collections.js'
import { idlePatience } from './worker-record.js'

const MINUTE = 60_000

export async function readStatus(executor: string, store: StoreReader, clock: Clock): Promise<ClusterStatus> {
  const now = readMillis(clock)
  const roster = (await store.find(workersCollection, { limit: 10_000 })).items
  const running: Job[] = []
  for await (const { record } of store.iterate(jobsCollection, { where: { status: 'running' } })) running.push(record)
  const workers = roster.map((worker) => describe(worker, running, now))
  const active = workers.filter(({ state }) => state === 'active')
  const queues = await readQueues(store, active, running, now)
  const due = { status: 'waiting', due_at: { lte: now } }
  const oldest = (await store.find(jobsCollection, { where: due, orderBy: [{ field: 'created_at' }], limit: 1 }))
    .items[0]
  const since = new Date(now - MINUTE).toISOString()
  return {
    executor,
    workers,
    queues,
    unserved: [...new Set(queues.filter(({ served }) => !served).map(nameOf))].sort(),
    waiting: sum(queues, 'waiting'),
    delayed: sum(queues, 'delayed'),
    running: running.length,
    failed: await store.count(jobsCollection, { where: { status: 'failed' } }),
    completed_last_minute: await store.count(jobsCollection, {
      where: { status: 'completed', ended_at: { gte: since } },
    }),
    oldest: oldest
      ? {
          job_id: oldest.job_id,
          skill_name: oldest.skill_name,
          waiting_ms: Math.max(0, now - Math.max(Date.parse(oldest.created_at), oldest.due_at)),
        }
      : null,
  }
}

function describe(worker: WorkerRecord, running: readonly Job[], now: number): ClusterWorker {
  const { beat: _, state, ...rest } = worker
  const own = running.filter(({ worker_id }) => worker_id === worker.worker_id)
  const silence = now - Date.parse(worker.seen_at)
  const isSilent = silence > (own.length > 0 ? worker.lease_ms : idlePatience(worker))
  return {
    ...rest,
    state: isSilent ? 'silent' : state,
    running: own.map(({ job_id, skill_name, tenant_id, started_at }) => {
      return { job_id, skill_name, tenant_id, started_at }
    }),
  }
}

/** Queues are found one by one through their first job, so that jobs are counted without reading them. */
async function readQueues(
  store: StoreReader,
  active: readonly ClusterWorker[],
  running: readonly Job[],
  now: number,
): Promise<ClusterQueue[]> {
  const limits = new Map(
    (await store.find(limitsCollection, { limit: 1000 })).items.map((each) => [each.skill_name, each.limit]),
  )
  const workers = active.map((worker) => servedBy({ tags: worker.tags, skills: versionsOf(worker) }))
  const found: ClusterQueue[] = []
  const firsts = await firstOfQueues(store)
  for (const job of running) if (!firsts.some((other) => isSameQueue(other, job))) firsts.push(job)
  for (const job of firsts) {
    const where = { status: 'waiting', queue: job.queue, tag_key: job.tag_key }
    const all = await store.count(jobsCollection, { where })
    const waiting = all === 0 ? 0 : await store.count(jobsCollection, { where: { ...where, due_at: { lte: now } } })
    const [oldest] = (await store.find(jobsCollection, { where, orderBy: [{ field: 'created_at' }], limit: 1 })).items
    found.push({
      skill_name: job.skill_name,
      skill_version: job.skill_version,
      tags: job.tags,
      waiting,
      delayed: all - waiting,
      running: running.filter((other) => isSameQueue(other, job)).length,
      limit: limits.get(job.skill_name) ?? null,
      oldest_at: oldest?.created_at ?? null,
      served: workers.some((served: Served) => serves(served, job)),
    })
  }
  return found
}

async function firstOfQueues(store: StoreReader): Promise<Job[]> {
  const firsts: Job[] = []
  const orderBy = [{ field: 'queue' }, { field: 'tag_key' }]
  for (;;) {
    const last = firsts.at(-1)
    const after = last && {
      or: [{ queue: { gt: last.queue } }, { queue: last.queue, tag_key: { gt: last.tag_key } }],
    }
    const { items } = await store.find(jobsCollection, { where: { status: 'waiting', ...after }, orderBy, limit: 1 })
    const [first] = items
    if (first === undefined) return firsts
    firsts.push(first)
  }
}

function isSameQueue(a: Job, b: Job): boolean {
  return a.queue === b.queue && a.tag_key === b.tag_key
}

export function versionsOf({ skills }: Pick<WorkerRecord, 'skills'>): SkillVersion[] {
  return skills.map((text) => {
    const at = text.lastIndexOf('@')
    return { name: text.slice(0, at), version: text.slice(at + 1) }
  })
}

function nameOf({ skill_name, skill_version, tags }: ClusterQueue): string {
  const needs = tags.length > 0 ? ` [${tags.join(', ')}]` : ''
  return `${skill_name}@${skill_version ?? '*'}${needs}`
}

function sum(queues: readonly ClusterQueue[], what: 'waiting' | 'delayed'): number {
  return queues.reduce((total, queue) => total + queue[what], 0)
}
