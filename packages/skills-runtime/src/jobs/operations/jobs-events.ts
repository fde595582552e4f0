import type { EventSource } from '@minions/core/operations'
import { schedulesCollection } from '../schedules/schedule-schema.js'
import { jobsCollection, workersCollection } from '../store/collections.js'

export const jobsEvents: readonly EventSource[] = [
  { collection: jobsCollection, operation: 'jobs.get', tenant: 'tenant_id' },
  { collection: schedulesCollection, operation: 'schedules.list' },
  { collection: workersCollection, operation: 'cluster.status' },
]
