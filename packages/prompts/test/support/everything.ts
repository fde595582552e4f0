import type { Minions } from '@minions/core'
import { isPrompt, type PromptMinion } from '../../src/chain/prompt-minion.js'
import type { IndexLookup } from '../../src/lookup/index-lookup.js'
import type { RelationLookup } from '../../src/lookup/relation-lookup.js'

/** An answer, or the code of the error that stands for it. */
export const answer = <T>(work: Promise<T>): Promise<T | string> =>
  work.catch((error) => error.code ?? Promise.reject(error))

/** The names that prompts are given. */
export const NAMES = ['p', 'q', 'other', 'x/y']

/** Everything that a lookup says of some minions. */
export async function everything(client: Minions, lookup: RelationLookup | IndexLookup) {
  const { items } = await client.find({ includeDeleted: true, limit: 10_000 })
  const minions = items.filter(isPrompt)
  const ids = minions.map(({ id }) => id)
  const said: unknown[] = []
  for (const minion of minions) {
    const chain = await answer(lookup.chain(minion))
    const rootId = await answer(lookup.rootId(minion))
    const root = minions.find(({ id }) => id === rootId) as PromptMinion
    said.push({
      id: minion.id,
      rootId,
      number: await answer(lookup.numberOf(minion)),
      chain: typeof chain === 'string' ? chain : [...chain.minions.keys()].sort(),
      latest: await answer(lookup.latest(minion).then((latest) => latest?.id)),
      member: root && (await answer(lookup.member(root, minion.id).then((member) => member?.id))),
      numbered: await answer(lookup.numbered(minion, 2).then((list) => list.map(({ id }) => id).sort())),
    })
  }
  const parts = [...(await lookup.parts('variable', ids)), ...(await lookup.parts('test', ids))]
  return {
    said,
    parts: parts.map(({ id, ownerId }) => `${ownerId} ${id}`).sort(),
    production: await lookup.label('production', ids),
    staging: await lookup.label('staging', ids),
    labels: await Promise.all(ids.map((id) => lookup.labels(id))),
    originals: await lookup.originals(ids),
    names: await lookup.names(ids),
    named: await Promise.all(NAMES.map((name) => lookup.named(name))),
  }
}
