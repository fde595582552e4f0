import { coreError } from '../errors/codes.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionsAccess } from './minions-access.js'

/** A minion by its id, deleted or not. Throws `NOT_FOUND`. */
export async function existing(client: MinionsAccess, id: string): Promise<Minion> {
  const minion = await client.get(id)
  return minion ?? unknownMinion(id)
}

/** Throws `NOT_FOUND`. */
export function unknownMinion(id: string): never {
  throw coreError('NOT_FOUND', `There is no minion "${id.slice(0, 100)}"; find existing ones with objects.find.`, {
    details: { id },
  })
}
