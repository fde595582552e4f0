// @ts-check
// No value, name or query reaches a database as SQL or an engine's search as syntax, on any backend.
import { isMinionsError } from '@minions/core'
import { describe, expect, it } from 'vitest'
import { backends, openClient, temporaryFolder } from './backends.mjs'

/** @import { Minions } from '@minions/core' */

const attacks = [
  `'; DROP TABLE minions; --`,
  `"; DELETE FROM minions; --`,
  `') OR 1=1 --`,
  `x' UNION SELECT * FROM minions --`,
  `$1`,
  `?`,
  `:name`,
  `$$; DROP SCHEMA public CASCADE; $$`,
  `\\'; DROP TABLE minions; --`,
  `%`,
  `_`,
  `"a" OR "b"`,
  `a* NEAR(b) -c`,
  `title:x OR content:*`,
  `a & !b | c:*`,
  `{"$gt": ""}`,
  `../../../etc/passwd`,
]

/** What a call gives; an error must be ours, never the engine's. @template T @param {() => Promise<T>} call */
async function answer(call) {
  try {
    return await call()
  } catch (error) {
    expect(isMinionsError(error) && error.code, String(error)).toBeTypeOf('string')
    expect(isMinionsError(error) && error.code).not.toMatch(/^STORAGE_/)
    return undefined
  }
}

/** @param {Minions} minions @param {string} attack */
async function everyWayIn(minions, attack) {
  const query = (/** @type {object} */ parts) => answer(() => minions.find(/** @type {never} */ (parts)))
  await query({ where: { [attack]: 'x' } })
  await query({ where: { [`fields.${attack}`]: 'x' } })
  await query({ where: { 'fields.content': { [attack]: 'x' } } })
  await query({ type: attack })
  await query({ orderBy: [attack] })
  await query({ orderBy: [{ path: attack, direction: attack }] })
  await query({ cursor: attack })
  await query({ limit: attack })
  await query({ tags: [attack] })
  await answer(() => minions.get(attack))
  await answer(() => minions.update(attack, { title: attack }))
  await answer(() => minions.hardDelete(attack))
  await answer(() => minions.create(attack, { title: attack }))
  await answer(() => minions.relations(attack))
  await answer(() => minions.path(attack, attack))
  await answer(() =>
    minions.link({ sourceId: attack, targetId: attack, type: /** @type {never} */ (attack), metadata: attack }),
  )
}

describe.each(Object.entries(backends))('%s', (_, create) => {
  it('keeps attacks as the text they are, and finds exactly that text', async () => {
    const minions = await openClient(await create(temporaryFolder()))
    for (const attack of attacks) {
      await minions.create('note', { title: attack, tags: [attack], fields: { content: attack, [attack]: attack } })
    }
    for (const attack of attacks) {
      const { items } = await minions.find({ where: { title: attack } })
      expect(items.map(({ title, fields }) => [title, fields.content, fields[attack]])).toEqual([
        [attack, attack, attack],
      ])
      expect(await minions.count({ where: { 'fields.content': attack } })).toBe(1)
      // A search for it may find nothing or everything that has its words, but it is never syntax.
      await answer(() => minions.search(attack))
    }
    expect(await minions.count()).toBe(attacks.length)
  })

  it('does nothing but answer or refuse, whichever way the attack comes in', async () => {
    const minions = await openClient(await create(temporaryFolder()))
    const kept = await minions.create('note', { title: 'kept', fields: { content: 'secret' } })
    for (const attack of attacks) await everyWayIn(minions, attack)
    expect(await minions.get(kept.id)).toEqual(kept)
    expect(await minions.count()).toBe(1)
  })
})
