import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { openApiDocument, server } from '../src/index.js'
import { json, servedApp, servedClient } from './support/app.js'

type Json = Record<string, unknown>

/** Every object in a value, with where it is. */
function* objectsIn(value: unknown, path = '#'): Generator<[path: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Json]
  for (const [name, part] of Object.entries(value)) yield* objectsIn(part, `${path}/${name}`)
}

/** The document of an app with one more operation. */
async function documentWith(output: ReturnType<typeof Type.Object>) {
  const look = defineOperation({
    name: 'extra.look',
    summary: 'Look',
    access: 'read',
    input: Type.Object({}),
    output,
    deps: {},
    run: async () => ({}),
  })
  const plugin = definePlugin({
    ref: pluginRef<object>()('@acme/extra', 'extra'),
    version: '1.0.0',
    contributes: [[operations, [look]]],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [server(), plugin] })
  onTestFinished(() => app.close())
  // biome-ignore lint/suspicious/noExplicitAny: parts of it are compared
  return openApiDocument(app) as any
}

it('refers to nothing that it does not have, and names every operation once', async () => {
  const document = openApiDocument(await servedApp())
  const text = JSON.parse(JSON.stringify(document))
  const ids: unknown[] = []
  for (const [path, object] of objectsIn(text)) {
    if (typeof object.$ref === 'string') {
      const parts = object.$ref.slice(2).split('/')
      const target = parts.reduce<unknown>((value, part) => (value as Json | undefined)?.[part], text)
      expect(target, `${object.$ref} at ${path}`).toBeTypeOf('object')
    }
    if (object.operationId !== undefined) ids.push(object.operationId)
  }
  expect(ids.length).toBeGreaterThan(30)
  expect(new Set(ids).size).toBe(ids.length)
})

it('is answered as it is, to those with a key', async () => {
  const { app, send } = await servedClient()
  expect(await json(await send('/api/openapi.json'))).toEqual(JSON.parse(JSON.stringify(openApiDocument(app))))
})

it('says of an object of which nothing is known that it may have anything', async () => {
  const open = Type.Unsafe<Json>({ type: 'object' })
  const { paths } = await documentWith(Type.Object({ open, closed: Type.Object({}, { additionalProperties: false }) }))
  const { schema } = paths['/api/operations/extra.look'].post.responses[200].content['application/json']
  expect(schema.properties.open).toEqual({ type: 'object', additionalProperties: true })
  expect(schema.properties.closed).toMatchObject({ additionalProperties: false })
  expect(schema).not.toHaveProperty('additionalProperties')
})

it('has schemas with a title once, under that title, and a number where two share it', async () => {
  const one = Type.Object({ a: Type.String() }, { title: 'Thing' })
  const other = Type.Object({ b: Type.String() }, { title: 'Thing' })
  const { paths, components } = await documentWith(Type.Object({ one, same: one, other }))
  const { schema } = paths['/api/operations/extra.look'].post.responses[200].content['application/json']
  expect(schema.properties).toEqual({
    one: { $ref: '#/components/schemas/Thing' },
    same: { $ref: '#/components/schemas/Thing' },
    other: { $ref: '#/components/schemas/Thing2' },
  })
  expect(components.schemas.Thing.properties).toHaveProperty('a')
  expect(components.schemas.Thing2.properties).toHaveProperty('b')
})
