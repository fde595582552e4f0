import type { Minions } from '@minions/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PromptChain, promptTemplateType, promptVersionType } from '../src/index.js'
import { backends, openStore } from './stores.js'

fc.configureGlobal({ seed: 20_240_118 })

const follow = (client: Minions, sourceId: string, targetId: string) =>
  client.link({ sourceId, targetId, type: 'follows' })

/** A version made without this package's help. */
async function handMade(client: Minions, id: string, after?: string) {
  const version = await client.create(promptVersionType, { id, title: id, fields: { content: id } })
  if (after !== undefined) await follow(client, id, after)
  return version
}

async function handMadeRoot(client: Minions, id = 'root') {
  return client.create(promptTemplateType, { id, title: id, fields: { content: 'x' } })
}

const idsOf = (minions: readonly { id: string }[]) => minions.map(({ id }) => id)

describe.each(backends)('version chain on %s', (_, create) => {
  it('contains the root, oldest first, from whichever member it is asked', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const v2 = await prompts.addVersion(prompt.id, { content: 'c' })
    const v1b = await prompts.addVersion(prompt.id, { content: 'd' })
    const chain = new PromptChain(client)
    for (const { id } of [prompt, v1, v2, v1b]) {
      expect(idsOf(await chain.getVersionChain(id))).toEqual([prompt.id, v1.id, v2.id, v1b.id])
    }
    expect([v1, v2, v1b].map(({ fields }) => fields.versionNumber)).toEqual([1, 2, 3])
    await client.close()
  })

  it('branches, and the latest is the newest leaf', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const left = await prompts.addVersion(v1.id, { content: 'left' })
    const right = await prompts.addVersion(v1.id, { content: 'right' })
    expect([left, right].map(({ fields }) => fields.versionNumber)).toEqual([2, 2])
    expect((await prompts.latest(prompt.id)).id).toBe(right.id)
    const left3 = await prompts.addVersion(left.id, { content: 'left 3' })
    expect((await prompts.latest(v1.id)).id).toBe(left3.id)
    expect(idsOf(await prompts.branches(prompt.id))).toEqual([right.id, left3.id])
    await client.close()
  })

  it('is read by hand-made links alone', async () => {
    const { client } = await openStore(create())
    await handMadeRoot(client)
    await handMade(client, 'b', 'root')
    await handMade(client, 'a', 'b')
    await handMade(client, 'c', 'a')
    const chain = new PromptChain(client)
    expect(idsOf(await chain.getVersionChain('a'))).toEqual(['root', 'b', 'a', 'c'])
    expect((await chain.getLatestVersion('root')).id).toBe('c')
    await client.close()
  })

  it('has a version as its root when there is no template', async () => {
    const { client, prompts } = await openStore(create())
    await handMade(client, 'first')
    await handMade(client, 'second', 'first')
    expect(idsOf(await prompts.history('second'))).toEqual(['first', 'second'])
    const third = await prompts.addVersion('second', { content: 'x' })
    expect(third.fields.versionNumber).toBe(3)
    expect((await prompts.latest('first')).id).toBe(third.id)
    await client.close()
  })

  it('mixes hand-made and own links', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    await handMade(client, 'hand', v1.id)
    const v3 = await prompts.addVersion(prompt.id, { content: 'd' })
    expect(v3.fields.versionNumber).toBe(3)
    // Newer than everything else, but on an old version.
    await handMade(client, 'late', prompt.id)
    expect((await prompts.latest(prompt.id)).id).toBe('late')
    expect(idsOf(await prompts.history(prompt.id))).toEqual([prompt.id, v1.id, 'hand', v3.id, 'late'])
    expect((await prompts.addVersion(prompt.id, { content: 'e' })).fields.versionNumber).toBe(2)
    await client.close()
  })

  it('ignores self-relations, other types and other relations', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    await follow(client, v1.id, v1.id)
    const note = await client.create('note', { title: 'n', fields: { content: 'x' } })
    await follow(client, note.id, v1.id)
    const other = await prompts.create({ title: 'Q', content: 'a' })
    await client.link({ sourceId: other.id, targetId: v1.id, type: 'part_of' })
    await client.link({ sourceId: other.id, targetId: v1.id, type: 'relates_to' })
    expect(idsOf(await prompts.history(prompt.id))).toEqual([prompt.id, v1.id])
    expect((await prompts.latest(prompt.id)).id).toBe(v1.id)
    await client.close()
  })

  it('leaves deleted versions out without losing what follows them', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const v2 = await prompts.addVersion(prompt.id, { content: 'c' })
    const v3 = await prompts.addVersion(prompt.id, { content: 'd' })
    await client.softDelete(v2.id)
    expect(idsOf(await prompts.history(prompt.id))).toEqual([prompt.id, v1.id, v3.id])
    expect(idsOf(await prompts.branches(prompt.id))).toEqual([v3.id])
    await client.softDelete(v3.id)
    expect((await prompts.latest(prompt.id)).id).toBe(v1.id)
    await client.restore(v2.id)
    expect((await prompts.latest(prompt.id)).id).toBe(v2.id)
    await client.close()
  })

  it('reports a cycle as its path', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const v2 = await prompts.addVersion(prompt.id, { content: 'c' })
    await follow(client, v1.id, v2.id)
    const reads = [
      () => prompts.history(prompt.id),
      () => prompts.latest(prompt.id),
      () => prompts.versionAt(v1.id, new Date()),
    ]
    for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'CYCLE' })
    const error = await prompts.history(prompt.id).catch((reason) => reason)
    expect([...error.details.path].sort()).toEqual([v1.id, v1.id, v2.id, v2.id].slice(1).sort())
    await client.close()
  })

  it('tells the version of a time', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const v2 = await prompts.addVersion(prompt.id, { content: 'c' })
    const chain = new PromptChain(client)
    expect(await chain.getVersionAtDate(prompt.id, '2020-01-01')).toBeUndefined()
    expect((await prompts.versionAt(prompt.id, prompt.createdAt))?.id).toBe(prompt.id)
    expect((await prompts.versionAt(prompt.id, new Date(Date.parse(v2.createdAt) - 1)))?.id).toBe(v1.id)
    expect((await prompts.versionAt(prompt.id, v2.createdAt))?.id).toBe(v2.id)
    await expect(prompts.versionAt(prompt.id, 'never')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await client.close()
  })

  it('refuses ids of nothing and of something else', async () => {
    const { client, prompts } = await openStore(create())
    const note = await client.create('note', { title: 'n', fields: { content: 'x' } })
    for (const id of ['nobody', '__proto__', '']) {
      await expect(prompts.history(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(prompts.addVersion(id, { content: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await expect(prompts.latest(note.id)).rejects.toMatchObject({ code: 'PROMPT_TYPE_MISMATCH' })
    await client.close()
  })
})

describe('any graph', () => {
  /** The definition, taken literally: of all that may come next, the oldest. */
  function expected(nodes: readonly { id: string; time: number; after: readonly number[] }[]): string[] {
    const placed: number[] = []
    while (placed.length < nodes.length) {
      const ready = nodes
        .map((node, index) => ({ ...node, index }))
        .filter(({ index, after }) => !placed.includes(index) && after.every((parent) => placed.includes(parent)))
        .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
      placed.push(ready[0]?.index ?? -1)
    }
    return placed.map((index) => nodes[index]?.id ?? '')
  }

  const graph = fc
    .array(fc.record({ time: fc.integer({ min: 0, max: 5 }), parents: fc.array(fc.nat(), { maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 9,
    })
    .map((nodes) =>
      nodes.map(({ time, parents }, index) => ({
        id: `n${index}`,
        time,
        // The first is the root; every other follows one or two before it.
        after: index === 0 ? [] : [...new Set([...parents, index - 1].slice(0, 2).map((parent) => parent % index))],
      })),
    )

  it('comes out as defined, whatever clocks said', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (nodes) => {
        let time = 0
        const [, create] = backends[0] as (typeof backends)[number]
        const { client, prompts } = await openStore(create(), { clock: () => Date.UTC(2026, 0, 1 + time) })
        for (const node of nodes) {
          time = node.time
          await handMade(client, node.id)
          for (const parent of node.after) await follow(client, node.id, `n${parent}`)
        }
        expect(idsOf(await prompts.history(nodes.at(-1)?.id ?? ''))).toEqual(expected(nodes))
        const isLeaf = (index: number) => !nodes.some(({ after }) => after.includes(index))
        const leaves = nodes
          .filter((_, index) => isLeaf(index))
          .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
        expect((await prompts.latest('n0')).id).toBe(leaves[0]?.id)
        await client.close()
      }),
      { numRuns: 60 },
    )
  })
})
