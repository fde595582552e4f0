import { operationRef, pageOf } from '@minions/core/operations'
import { Type } from 'typebox'
import type { ResourceProvider } from '../door/features.js'
import { jsonContents } from './json-contents.js'
import { parseResourceUri, resourceUri } from './resource-uri.js'

const findObjects = operationRef(
  'objects.find',
  pageOf(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.Optional(Type.String()),
      updatedAt: Type.String(),
    }),
  ),
)

export const OBJECTS = 'objects'

const TEMPLATE = `minions://${OBJECTS}/{id}`

/** Maximum number of values that a completion gives. */
const MOST_VALUES = 100

/** Minions as resources, the newest change first. */
export const minionResources: ResourceProvider = {
  async list(call, cursor) {
    if (!call.may(findObjects.name)) return { items: [] }
    const page = await call.run(findObjects, {
      orderBy: [{ field: 'updatedAt', direction: 'desc' }],
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    })
    const items = page.items.map(({ id, title, description, updatedAt }) => ({
      uri: resourceUri(OBJECTS, id),
      name: title,
      ...(description && { description }),
      mimeType: 'application/json',
      annotations: { lastModified: updatedAt },
    }))
    return { items, nextCursor: page.nextCursor }
  },
  templates: (call) =>
    call.may('objects.get')
      ? [{ uriTemplate: TEMPLATE, name: 'Minion', description: 'A minion by its id.', mimeType: 'application/json' }]
      : [],
  async read(uri, call) {
    const { area, parts: [id, ...more] = [] } = parseResourceUri(uri) ?? {}
    if (area !== OBJECTS || id === undefined || more.length > 0) return undefined
    return jsonContents(uri, await call.run('objects.get', { id }))
  },
  async complete(template, argument, value, call) {
    if (template !== TEMPLATE || argument !== 'id' || !call.may(findObjects.name)) return undefined
    const page = await call.run(findObjects, { limit: MOST_VALUES * 5 })
    return page.items.map(({ id }) => id).filter((id) => id.startsWith(value))
  },
}
