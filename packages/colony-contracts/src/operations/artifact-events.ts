import type { EventSource } from '@minions/core/operations'
import type { Collection } from '@minions/core/storage'

export function artifactEvents(collection: Collection): EventSource {
  return { collection, operation: 'artifacts.get', tenant: 'tenant_id', mission: 'mission_id' }
}
