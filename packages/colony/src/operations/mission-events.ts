import type { EventSource } from '@minions/core/operations'
import { missionRunsCollection, taskRunsCollection } from '../state/collections.js'

const about = { operation: 'missions.status', tenant: 'tenant_id', mission: 'mission_id' } as const

export const missionEvents: readonly EventSource[] = [
  { ...about, collection: missionRunsCollection },
  { ...about, collection: taskRunsCollection },
]
