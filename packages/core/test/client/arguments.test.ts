import { expect, test } from 'vitest'
import { type CreateMinionInput, Minions } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

test('arguments that no compiler checked are refused by code', async () => {
  const client = await Minions.open({ storage: memoryStorage() })
  for (const wrong of [undefined, null, 5, 'x', {}, { title: 'A' }] as unknown as CreateMinionInput[][]) {
    await expect(client.createMany('agent', wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  for (const type of [undefined, null, 5, {}, []] as unknown as string[]) {
    await expect(client.create(type, { title: 'A' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  const none = null as unknown as string
  await expect(client.find({ type: none })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(client.count({ type: none })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(client.search('a', { type: none })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await client.create('agent', { title: 'A' })
  expect((await client.find(null as never)).items).toHaveLength(1)
  expect(await client.count(null as never)).toBe(1)
  for (const wrong of [undefined, null, 5, {}] as never[]) {
    await expect(client.transaction(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(client.importBundle(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  await client.close()
})
