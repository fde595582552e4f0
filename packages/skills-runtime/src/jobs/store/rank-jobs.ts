import type { Where } from '@minions/core'
import type { StoreReader } from '@minions/core/storage'
import type { Job } from '../job/job-schema.js'
import { jobsCollection } from './collections.js'

/**
 * Assigns jobs their positions in the queue. Workers take jobs of one priority by rank, and a tenant's jobs have
 * consecutive ranks from the front of the queue: so tenants take turns, however many jobs one of them submitted before.
 * There is no shared counter that all submitters would have to wait for; duplicate ranks only mean that two jobs may
 * run in either order.
 */
export async function rankJobs(store: StoreReader, jobs: readonly Job[]): Promise<Job[]> {
  const next = new Map<string, number>()
  const ranked: Job[] = []
  for (const job of jobs) {
    const group = `${job.priority} ${job.tenant_id ?? ''}`
    const rank = next.get(group) ?? (await firstRank(store, job))
    next.set(group, rank + 1)
    ranked.push({ ...job, rank })
  }
  return ranked
}

/** After the last of the tenant's waiting jobs; at the front if it has none. */
async function firstRank(store: StoreReader, { tenant_id, priority }: Job): Promise<number> {
  const waiting = { status: 'waiting', priority }
  const last = await rankOf(store, { ...waiting, tenant_id }, 'desc')
  if (last !== undefined) return last + 1
  return (await rankOf(store, waiting, 'asc')) ?? 0
}

async function rankOf(store: StoreReader, where: Where, direction: 'asc' | 'desc'): Promise<number | undefined> {
  const { items } = await store.find(jobsCollection, { where, orderBy: [{ field: 'rank', direction }], limit: 1 })
  return items[0]?.rank
}
