import type { StoreReader } from '@minions/core/storage'
import { missionsCollection } from './collections.js'

/** Ids of the tenants that have missions, in order; skips from one to the next by index, however many each has. */
export async function listTenants(storage: StoreReader): Promise<string[]> {
  const tenants: string[] = []
  for (;;) {
    const last = tenants.at(-1)
    const { items } = await storage.find(missionsCollection, {
      ...(last !== undefined && { where: { tenant_id: { gt: last } } }),
      orderBy: [{ field: 'tenant_id' }],
      limit: 1,
    })
    const [mission] = items
    if (mission === undefined) return tenants
    tenants.push(mission.tenant_id)
  }
}
