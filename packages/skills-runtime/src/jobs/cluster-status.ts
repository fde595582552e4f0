import { type Static, Type } from 'typebox'
import { Id, Timestamp } from '../attributes.js'
import { Tag } from './job/job-schema.js'

const Count = Type.Integer({ minimum: 0 })

const JobInHand = Type.Object({
  job_id: Id,
  skill_name: Type.String(),
  tenant_id: Type.Union([Type.String(), Type.Null()]),
  started_at: Type.Union([Timestamp, Type.Null()]),
})

/** A process that takes jobs. */
const ClusterWorkerSchema = Type.Object({
  worker_id: Type.String(),
  host: Type.String({ description: 'Name of the machine.' }),
  pid: Type.Integer(),
  state: Type.Enum(['active', 'draining', 'silent'], {
    description: 'A silent worker has not renewed its lease in time, as far as clocks agree; others take its jobs.',
  }),
  lease_ms: Type.Integer({ minimum: 1, description: 'Milliseconds without renewal after which others take its jobs.' }),
  concurrency: Count,
  tags: Type.Array(Tag),
  skills: Type.Array(Type.String(), { description: 'Skills whose code it has, as name@version.' }),
  started_at: Timestamp,
  seen_at: Type.String({ ...Timestamp, description: 'When it last renewed its lease, by its own clock.' }),
  running: Type.Array(JobInHand),
  completed: Type.Integer({ minimum: 0, description: 'Jobs that it completed.' }),
  failed: Type.Integer({ minimum: 0, description: 'Jobs that failed on it.' }),
})

/** Jobs that need the same skill and tags. */
const ClusterQueueSchema = Type.Object({
  skill_name: Type.String(),
  skill_version: Type.Union([Type.String(), Type.Null()]),
  tags: Type.Array(Tag),
  waiting: Type.Integer({ minimum: 0, description: 'Jobs that are due and wait for a worker.' }),
  delayed: Type.Integer({ minimum: 0, description: 'Jobs that are not due yet.' }),
  running: Count,
  limit: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  oldest_at: Type.Union([Timestamp, Type.Null()], { description: 'When the oldest waiting job was submitted.' }),
  served: Type.Boolean({ description: 'Whether any active worker has the code and the tags.' }),
})

/** Workers, queues, leases and throughput of one store. */
export const ClusterStatusSchema = Type.Object({
  executor: Type.String(),
  workers: Type.Array(ClusterWorkerSchema),
  queues: Type.Array(ClusterQueueSchema),
  unserved: Type.Array(Type.String(), { description: 'Skills that jobs wait for and no worker has.' }),
  waiting: Count,
  delayed: Count,
  running: Count,
  failed: Type.Integer({ minimum: 0, description: 'Dead letters.' }),
  completed_last_minute: Type.Integer({ minimum: 0, description: 'Jobs completed in the last minute.' }),
  oldest: Type.Union([Type.Object({ job_id: Id, skill_name: Type.String(), waiting_ms: Count }), Type.Null()]),
})

export type ClusterWorker = Static<typeof ClusterWorkerSchema>
export type ClusterQueue = Static<typeof ClusterQueueSchema>
export type ClusterStatus = Static<typeof ClusterStatusSchema>
