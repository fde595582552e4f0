import { MinionsError } from '@minions/core'
import { readMillis } from '@minions/core/plugin'
import { isStore } from '@minions/core/storage'
import { type Approval, approvalsCollection } from './record.js'
import type { ApprovalServices } from './services.js'
import { present } from './state.js'

/** Approvals as they change, from now until the signal aborts. Throws `CAPABILITY_MISSING`. */
export async function* watchApprovals(
  { storage, clock }: ApprovalServices,
  tenant: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Approval> {
  if (!isStore(storage)) {
    throw new MinionsError('CAPABILITY_MISSING', 'The store keeps no change feed; poll the list of approvals instead.')
  }
  for await (const { key } of storage.changes({ collections: [approvalsCollection], signal })) {
    const record = await storage.get(approvalsCollection, String(key))
    if (record && (tenant === undefined || record.tenant_id === tenant)) yield present(record, readMillis(clock))
  }
}
