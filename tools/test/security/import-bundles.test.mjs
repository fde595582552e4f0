// @ts-check
// A damaged or forged bundle is refused as a whole, and no id in it becomes a path.
import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { canonicalJson } from '@minions/core/json'
import { memoryStorage } from '@minions/core/memory'
import { describe, expect, it } from 'vitest'
import { backends, openClient, temporaryFolder } from './backends.mjs'

/** @typedef {import('@minions/core/json').JsonObject} JsonObject */

const ids = ['../../outside', '../outside.json', '/etc/outside', '..', 'a/../../outside', 'x\u0000y', '__proto__', '']

/** The lines of a bundle with one note. @returns {Promise<JsonObject[]>} */
async function bundle() {
  const minions = await Minions.open({ storage: memoryStorage() })
  await minions.create('note', { title: 'a', fields: { content: 'b' } })
  /** @type {string[]} */
  const lines = []
  for await (const line of minions.exportBundle()) lines.push(line)
  await minions.close()
  return lines.map((line) => {
    const { sum: _, ...content } = JSON.parse(line)
    return content
  })
}

/** Lines with sums that are right: what an attacker can make too. @param {JsonObject[]} parts */
function signed(parts) {
  let last = ''
  return parts.map((part) => {
    last = createHash('sha256')
      .update(`${last}\n${canonicalJson(part)}`)
      .digest('hex')
    return `${canonicalJson({ ...part, sum: last })}\n`
  })
}

describe.each(Object.entries(backends))('%s', (_, create) => {
  it('takes no id out of the folder', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'outside'), 'untouched')
    const minions = await openClient(await create(folder))
    const parts = await bundle()
    const around = readdirSync(folder)
    for (const id of ids) {
      const forged = parts.map((part) =>
        part.collection === 'minions' ? { ...part, record: { .../** @type {object} */ (part.record), id } } : part,
      )
      await expect(minions.importBundle(signed(forged)), id).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
    }
    expect(await minions.count()).toBe(0)
    expect(readdirSync(folder)).toEqual(around)
    await minions.importBundle(signed(parts))
    expect(await minions.count()).toBe(1)
  })

  it('takes no hostile name of a collection', async () => {
    const minions = await openClient(await create(temporaryFolder()))
    const parts = await bundle()
    for (const name of ['../x', '/etc', 'a; DROP TABLE minions', '"', '__proto__', '.', 'CON']) {
      const forged = parts.map((part) => (part.collection === 'minions' ? { ...part, collection: name } : part))
      await expect(minions.importBundle(signed(forged)), name).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
      const declared = parts.map((part) =>
        part.declaration ? { ...part, declaration: { .../** @type {object} */ (part.declaration), name } } : part,
      )
      await expect(minions.importBundle(signed(declared)), name).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
    }
    expect(await minions.count()).toBe(0)
  })
})
