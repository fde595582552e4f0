import { Type } from 'typebox'
import type { JsonObject } from '../../json/json-value.js'
import type { Contributed } from '../../plugin/extension-point.js'
import { ACCESS_KINDS } from '../access.js'
import { findOperation, operationsOf } from '../catalogue.js'
import { permits } from '../grant.js'
import type { Operation } from '../operation.js'
import { clientOperation } from './client-operation.js'
import { text } from './inputs.js'

const facts = {
  name: Type.String({ description: 'Area and verb, such as `prompts.render`.' }),
  summary: Type.String(),
  access: Type.Enum(ACCESS_KINDS, { description: 'The kind of access required.' }),
  destructive: Type.Boolean({ description: 'True if it removes or overwrites something that cannot be restored.' }),
  perTenant: Type.Boolean({ description: 'True if it stays within the tenant of the call.' }),
  plugin: Type.String({ description: 'The plugin that contributes it.' }),
}

const Schema = (description: string) => Type.Unsafe<JsonObject>({ type: 'object', description })

const Example = Type.Object({
  title: Type.String(),
  input: Type.Unknown(),
  by: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String()),
})

export const list = clientOperation({
  name: 'operations.list',
  summary: 'List the operations that the caller may run',
  access: 'read',
  perTenant: true,
  input: {},
  output: Type.Array(Type.Object(facts)),
  examples: [{ title: 'Everything that can be done', input: {} }],
  run: (_, { client }, { grant }) =>
    [...operationsOf(client).values()].filter(({ value }) => permits(grant, value)).map(factsOf),
})

export const get = clientOperation({
  name: 'operations.get',
  summary: 'Get an operation with its schemas and examples',
  access: 'read',
  perTenant: true,
  input: { name: text('Name of the operation.', 'objects.find') },
  output: Type.Object({
    ...facts,
    description: Type.Optional(Type.String({ description: 'Details beyond the summary; Markdown.' })),
    input: Schema('JSON Schema of the input.'),
    output: Schema('JSON Schema of the result.'),
    examples: Type.Array(Example),
  }),
  examples: [{ title: 'How minions are found', input: { name: 'objects.find' } }],
  run({ name }, { client }) {
    const found = findOperation(client, name)
    const { description, input, output, examples = [] } = found.value
    return {
      ...factsOf(found),
      ...(description !== undefined && { description }),
      // A schema is plain JSON, whatever created it.
      input: input as JsonObject,
      output: output as JsonObject,
      examples: examples.map(({ given: _given, fails: _fails, ...example }) => example),
    }
  },
})

function factsOf({ plugin, value }: Contributed<Operation>) {
  const { name, summary, access, destructive = false, perTenant = false } = value
  return { name, summary, access, destructive, perTenant, plugin }
}
