import { memoryStorage } from '@minions/core/memory'
import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { defineSkill, SubagentManager, skillsCollections } from '../../src/index.js'

const notes = defineCollection({
  name: 'notes',
  version: 1,
  schema: Type.Object({ id: Type.String(), attempt: Type.Integer() }),
  key: 'id',
})

async function setup(fails: (attempt: number) => boolean, refuse = false) {
  const store = await Store.open(memoryStorage(), [...skillsCollections, notes])
  const manager = await SubagentManager.open({ storage: store, backoff: { first: 0 } })
  manager.registry.registerSkill(
    defineSkill({
      name: 'note',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      max_retries: 1,
      execute(_params, context) {
        const { attempt } = context
        context.onCommit((batch) => {
          batch?.put(notes, { id: `note-${attempt}`, attempt })
          if (refuse) throw new Error('the store said no')
        })
        if (fails(attempt)) throw new Error('not yet')
        return {}
      },
    }),
  )
  const { agent_id } = await manager.spawn()
  return { store, manager, agent_id }
}

test('what a skill adds to the commit is written with its result, and only that of the attempt that succeeded', async () => {
  const { store, manager, agent_id } = await setup((attempt) => attempt === 1)
  await manager.run(agent_id, 'note')
  expect((await store.find(notes)).items).toEqual([{ id: 'note-2', attempt: 2 }])
  expect((await manager.get(agent_id)).state).toBe('completed')
  await manager.shutdown()
})

test('nothing is written when the work of a commit fails, and the run can be resumed', async () => {
  const { store, manager, agent_id } = await setup(() => false, true)
  await expect(manager.run(agent_id, 'note')).rejects.toThrow('the store said no')
  expect((await store.find(notes)).items).toEqual([])
  expect((await manager.get(agent_id)).state).toBe('running')
  expect(await manager.executions({ status: 'pending' })).toHaveLength(1)
  await manager.shutdown()
})

test('without a store the work is done without a batch', async () => {
  const seen: unknown[] = []
  const manager = new SubagentManager()
  manager.registry.registerSkill(
    defineSkill({
      name: 'note',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      execute(_params, context) {
        context.onCommit((batch) => void seen.push(batch))
        return {}
      },
    }),
  )
  const { agent_id } = await manager.spawn()
  await manager.run(agent_id, 'note')
  expect(seen).toEqual([undefined])
  await manager.shutdown()
})
