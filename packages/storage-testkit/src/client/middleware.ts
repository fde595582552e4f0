import type { ClientMethod, Middleware, Minion, Minions } from '@minions/core'
import { expect } from 'vitest'
import { casesOf } from '../case.js'
import { failure } from '../failure.js'
import { changesNothing, note, titles } from './support.js'

export const middleware = casesOf('middleware', {
  'wraps every operation, first outermost': async (context) => {
    const calls: string[] = []
    const logging =
      (name: string): Middleware =>
      async (operation, next) => {
        calls.push(`${name} before ${operation.name}`)
        const result = await next()
        calls.push(`${name} after ${operation.name}`)
        return result
      }
    const client = await context.client({ middleware: [logging('outer'), logging('inner')] })
    const { id } = await note(client, 'a')
    expect(calls).toEqual(['outer before create', 'inner before create', 'inner after create', 'outer after create'])
    calls.length = 0
    await client.transaction(async (tx) => {
      await tx.update(id, { title: 'b' })
    })
    expect(calls).toContain('outer before update')
    calls.length = 0
    await client.get(id)
    await client.find()
    await client.count()
    await client.relations(id)
    await client.findRelations({ sourceIds: [id] })
    await client.descendants(id)
    await client.topologicalOrder('blocks')
    expect(calls.filter((call) => call.startsWith('outer before')).map((call) => call.split(' ')[2])).toEqual([
      'get',
      'find',
      'count',
      'relations',
      'findRelations',
      'descendants',
      'topologicalOrder',
    ])
  },

  'arguments it replaces are validated and take effect': async (context) => {
    let replacement: unknown = { title: 'replaced', fields: { content: 'x' } }
    const replacing: Middleware = (operation, next) =>
      operation.name === 'create' ? next([operation.args[0], replacement, {}]) : next()
    const client = await context.client({ middleware: [replacing] })
    const minion = await note(client, 'mine')
    expect(minion.title).toBe('replaced')
    expect((await client.get(minion.id))?.title).toBe('replaced')
    replacement = { title: '', fields: {} }
    await changesNothing(client, () => failure(note(client, 'mine'), 'VALIDATION_FAILED'))
  },

  'results it replaces are validated and returned to the caller': async (context) => {
    const changing: Middleware = async (operation, next) => {
      const result = await next()
      if (operation.name === 'get') return { ...(result as Minion), title: 'seen' }
      if (operation.name === 'find') return { items: [{ nonsense: true }], nextCursor: undefined }
      if (operation.name === 'children') return 'nonsense'
      return result
    }
    const client = await context.client({ middleware: [changing] })
    const { id } = await note(client, 'stored')
    expect((await client.get(id))?.title).toBe('seen')
    expect((await client.getRecord(id))?.minion.title).toBe('stored')
    await failure(client.find(), 'VALIDATION_FAILED')
    await failure(client.children(id), 'VALIDATION_FAILED')
  },

  'what it refuses does not happen': async (context) => {
    const forbidding: Middleware = (operation, next) => {
      if (operation.name === 'hardDelete') throw new Error('forbidden')
      return operation.name === 'softDelete' ? client.get(operation.args[0] as string) : next()
    }
    const client = await context.client({ middleware: [forbidding] })
    const { id } = await note(client, 'a')
    await changesNothing(client, async () => {
      await expect(client.hardDelete(id)).rejects.toThrow('forbidden')
      expect((await client.softDelete(id)).deletedAt).toBeUndefined()
    })
    expect(titles((await client.find()).items)).toEqual(['a'])
  },

  'an operation without a result is an error that names the middleware, and nothing happens': async (context) => {
    const plain = await context.client()
    const { id } = await note(plain, 'a')
    const relation = await plain.link({ sourceId: id, targetId: id, type: 'relates_to' })
    const operations: Record<Exclude<ClientMethod, 'get' | 'getRecord'>, (client: Minions) => Promise<unknown>> = {
      create: (client) => note(client, 'b'),
      createMany: (client) => client.createMany('note', [{ title: 'b', fields: { content: 'x' } }]),
      update: (client) => client.update(id, { title: 'b' }),
      softDelete: (client) => client.softDelete(id),
      restore: (client) => client.restore(id),
      hardDelete: (client) => client.hardDelete(id),
      find: (client) => client.find(),
      search: (client) => client.search('a'),
      count: (client) => client.count(),
      link: (client) => client.link({ sourceId: id, targetId: id, type: 'blocks' }),
      unlink: (client) => client.unlink(relation.id),
      relations: (client) => client.relations(id),
      findRelations: (client) => client.findRelations(),
      children: (client) => client.children(id),
      parents: (client) => client.parents(id),
      descendants: (client) => client.descendants(id),
      ancestors: (client) => client.ancestors(id),
      network: (client) => client.network(id),
      path: (client) => client.path(id, id),
      topologicalOrder: (client) => client.topologicalOrder('blocks'),
    }
    const forgetful: Middleware = () => undefined
    const client = await context.client({ middleware: [forgetful] })
    await changesNothing(plain, async () => {
      for (const [name, call] of Object.entries(operations)) {
        const error = await failure(call(client), 'VALIDATION_FAILED')
        expect(error.details).toEqual({ operation: name, middleware: 'forgetful', index: 0 })
      }
    })
    // A minion may be hidden.
    expect(await client.get(id)).toBeUndefined()
    expect(await client.getRecord(id)).toBeUndefined()
  },
})
