import { coreError } from '../../errors/codes.js'
import { ParsedJson } from '../../json/parsed-json.js'
import type { Minion } from '../../schemas/minion.js'
import { getRecordNow, type MinionsAccess } from '../minions-access.js'

/** A minion by its id, deleted or not; a promise only if it has to be waited for. Throws `NOT_FOUND`. */
export function existing(client: MinionsAccess, id: string): Minion | Promise<Minion> {
  const found = existingWithText(client, id)
  return found instanceof ParsedJson ? found.value : found
}

/** Like `existing`, with the text of the minion where the store has it at hand. */
export function existingWithText(client: MinionsAccess, id: string): ParsedJson<Minion> | Minion | Promise<Minion> {
  const found = getRecordNow(client, id)
  if (found === undefined) return client.get(id).then((minion) => minion ?? unknownMinion(id))
  if (found === null) return unknownMinion(id)
  return found.json === undefined ? found.minion : new ParsedJson(found.minion, found.json)
}

export function unknownMinion(id: string): never {
  throw coreError('NOT_FOUND', `There is no minion "${id.slice(0, 100)}"; find existing ones with objects.find.`, {
    details: { id },
  })
}
