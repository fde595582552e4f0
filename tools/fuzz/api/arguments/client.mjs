// @ts-check

import { auditCollection } from '@minions/audit-log'
import { memoryStorage } from '@minions/core/memory'
import { minionsCollection } from '@minions/core/storage'
import { noteType } from '@minions/core/types'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const by = { by: 'ada' }
const task = () => ({
  title: 'Sweep',
  description: 'The yard',
  tags: ['a'],
  status: 'todo',
  priority: 'low',
  fields: { error: 'none' },
})
const query = () => ({
  type: 'task',
  where: { title: { contains: 'Sweep' }, and: [{ status: 'todo' }], 'fields.error': { in: ['a', 'b'] } },
  orderBy: [{ field: 'createdAt', direction: 'desc' }],
  status: ['todo'],
  tags: ['a'],
  limit: 5,
  includeDeleted: true,
})
const traversal = { includeDeleted: true }
const id = async (/** @type {World} */ world) => [await world.taskId()]
const idAndBy = async (/** @type {World} */ world) => [await world.taskId(), { ...by }]
const traverse = async (/** @type {World} */ world) => [await world.taskId(), { ...traversal }]
const changes = { since: 'now', types: ['task'], ids: ['a'], limit: 5 }

/** Methods of the client. @type {Record<string, Arguments>} */
export const clientArguments = {
  'core.Minions.open': () => [
    {
      storage: memoryStorage(),
      types: [{ type: { ...noteType, id: 'acme/note', slug: 'acme-note' } }],
      onTypeDiffers: 'keep',
      middleware: [async (/** @type {unknown} */ _, /** @type {() => unknown} */ next) => next()],
      clock: () => new Date(),
      generateId: () => 'id-1',
      collections: [auditCollection],
      onChange: async () => undefined,
    },
  ],
  'app.create': () => ['task', task(), { ...by }],
  'app.createMany': () => ['task', [task()], { ...by }],
  'app.get': async (world) => ['task', await world.taskId()],
  'app.getRecord': id,
  'app.update': async (world) => [await world.taskId(), { title: 'B', fields: { error: 'one' } }, { ...by }],
  'app.softDelete': idAndBy,
  'app.restore': idAndBy,
  'app.hardDelete': idAndBy,
  'app.find': () => [query()],
  'app.search': () => ['sweep', query()],
  'app.count': () => [query()],
  'app.link': async (world) => [
    { sourceId: await world.taskId(), targetId: await world.taskId(), type: 'parent_of', metadata: { a: 1 } },
    { ...by },
  ],
  'app.unlink': async (world) => [
    (await world.app.link({ sourceId: await world.taskId(), targetId: await world.taskId(), type: 'follows' })).id,
    { ...by },
  ],
  'app.relations': async (world) => [
    await world.taskId(),
    { type: 'parent_of', direction: 'both', includeDeleted: true },
  ],
  'app.findRelations': async (world) => [
    { sourceIds: [await world.taskId()], types: ['parent_of'], orderBy: [], limit: 5, includeDeleted: true },
  ],
  'app.children': traverse,
  'app.parents': traverse,
  'app.descendants': traverse,
  'app.ancestors': traverse,
  'app.network': traverse,
  'app.path': async (world) => [await world.taskId(), await world.taskId(), { ...traversal }],
  'app.topologicalOrder': () => ['parent_of', { ...traversal }],
  'app.transaction': () => [async () => 1],
  'app.importRecords': async (world) => [{ minions: [{ ...(await world.task()), id: world.name() }], relations: [] }],
  'app.exportBundle': () => [{ all: true }],
  'app.importBundle': async (world) => {
    const lines = []
    for await (const line of world.app.exportBundle()) lines.push(line)
    return [lines.join('')]
  },
  'app.changes': () => [{ ...changes }],
  'app.changePages': () => [{ ...changes }],
  'app.listChanges': () => [{ ...changes }],
  'app.on': () => ['created', () => undefined],
  'app.types.get': () => ['task'],
  'app.types.register': (world) => [{ ...noteType, id: world.name('acme/type'), slug: world.name('slug') }, { ...by }],
  'app.types.planEvolution': () => ['task', []],
  'app.types.evolve': () => ['task', [{ name: 'hours', type: 'number' }], { ...by, onProgress: () => undefined }],
  'tx.contracts.store.storage.get': async (world) => [minionsCollection, await world.taskId()],
  'tx.contracts.store.storage.getRevised': async (world) => [minionsCollection, await world.taskId()],
  'tx.contracts.store.storage.getMany': async (world) => [minionsCollection, [await world.taskId()]],
  'tx.contracts.store.storage.find': () => [minionsCollection, { where: { title: 'A' }, limit: 5 }],
  'tx.contracts.store.storage.findRevised': () => [minionsCollection, { where: { title: 'A' }, limit: 5 }],
  'tx.contracts.store.storage.iterate': () => [minionsCollection, { where: { title: 'A' }, limit: 5 }],
  'tx.contracts.store.storage.count': () => [minionsCollection, { where: { title: 'A' } }],
  'tx.contracts.store.storage.put': async (world) => [minionsCollection, await world.task()],
  'tx.contracts.store.storage.putMany': async (world) => [minionsCollection, [await world.task()]],
  'tx.contracts.store.storage.delete': async (world) => [minionsCollection, await world.taskId()],
  'tx.contracts.store.storage.deleteMany': async (world) => [minionsCollection, [await world.taskId()]],
  'app.auditLog.history': id,
  'app.auditLog.at': async (world) => [await world.taskId(), '2024-01-01T00:00:00Z'],
}
