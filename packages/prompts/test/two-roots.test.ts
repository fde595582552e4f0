import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import { expect, it } from 'vitest'
import { prompts } from '../src/index.js'

const open = () => createMinions({ storage: memoryStorage(), plugins: [prompts()] })

it('refuses a version that follows two prompts, also inside a transaction', async () => {
  const app = await open()
  const [a, b] = await app.createMany('prompt-template', [
    { title: 'A', fields: { content: 'a' } },
    { title: 'B', fields: { content: 'b' } },
  ])
  const version = await app.prompts.addVersion(a?.id ?? '', { content: 'c' })
  const follow = { sourceId: version.id, targetId: b?.id ?? '', type: 'follows' } as const
  await expect(app.link(follow)).rejects.toMatchObject({ code: 'TWO_ROOTS', details: { roots: [a?.id, b?.id] } })
  await expect(app.transaction((tx) => tx.link(follow))).rejects.toMatchObject({ code: 'TWO_ROOTS' })
  const other = await app.prompts.addVersion(b?.id ?? '', { content: 'd' })
  await expect(app.link({ ...follow, targetId: other.id })).rejects.toMatchObject({ code: 'TWO_ROOTS' })
  expect(await app.prompts.history(version.id)).toEqual([a, version])
  await app.close()
})

it('lets branches of one prompt join, loose versions be attached, and self-relations be', async () => {
  const app = await open()
  const prompt = await app.prompts.create({ title: 'P', content: 'a' })
  const [left, right] = [
    await app.prompts.addVersion(prompt.id, { content: 'l' }),
    await app.create('prompt-version', { title: 'R', fields: { content: 'r' } }),
  ]
  await app.link({ sourceId: left.id, targetId: left.id, type: 'follows' })
  await app.link({ sourceId: right.id, targetId: prompt.id, type: 'follows' })
  const merge = await app.prompts.addVersion(left.id, { content: 'm' })
  await app.link({ sourceId: merge.id, targetId: right.id, type: 'follows' })
  const note = await app.create('note', { title: 'n', fields: { content: 'n' } })
  await app.link({ sourceId: merge.id, targetId: note.id, type: 'follows' })
  const ids = (await app.prompts.history(prompt.id)).map(({ id }) => id)
  expect(ids).toHaveLength(4)
  expect([ids[0], ids[3]]).toEqual([prompt.id, merge.id])
  await app.close()
})
