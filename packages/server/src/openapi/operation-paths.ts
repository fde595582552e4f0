import type { Operation } from '@minions/core/operations'
import { parameterKind, propertiesOf } from '../http/parameters.js'
import type { Components } from './components.js'
import { problems } from './problems.js'

type Entry = readonly [path: string, item: Readonly<Record<string, unknown>>]

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const TENANT = parameter('Tenant')

export function operationPaths(operation: Operation, components: Components): readonly Entry[] {
  const item = {
    ...(operation.access === 'read' && { get: asGet(operation, components) }),
    post: asPost(operation, components),
  }
  return [[`/api/operations/${operation.name}`, item]]
}

function asPost(operation: Operation, components: Components) {
  const { name, input, examples = [] } = operation
  const usable = examples.filter(({ fails }) => fails === undefined)
  const values = usable.map(({ title, input: value }, index) => [`example${index + 1}`, { summary: title, value }])
  return {
    operationId: name,
    ...described(operation, components, operation.secret ? {} : { 202: { $ref: '#/components/responses/Run' } }),
    parameters: [TENANT, parameter('Prefer'), ...(operation.access === 'read' ? [] : [parameter('IdempotencyKey')])],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.schema(input),
          ...(values.length > 0 && { examples: Object.fromEntries(values) }),
        },
      },
    },
  }
}

function asGet(operation: Operation, components: Components) {
  const { required = [] } = operation.input as { required?: readonly string[] }
  const parameters = Object.entries(propertiesOf(operation.input)).map(([name, property]) => {
    const { description, ...rest } = components.schema(property)
    const { type } = parameterKind(property)
    const base = {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
    }
    return type === 'json' ? { ...base, content: { 'application/json': { schema: rest } } } : { ...base, schema: rest }
  })
  return {
    operationId: `${operation.name}.query`,
    ...described(operation, components),
    parameters: [TENANT, ...parameters],
  }
}

function described(operation: Operation, components: Components, responses: object = {}) {
  const { name, summary, description, access, destructive, perTenant, output } = operation
  return {
    tags: [name.slice(0, name.indexOf('.'))],
    summary,
    description: description ?? `${summary}.`,
    'x-minions-access': access,
    ...(destructive && { 'x-minions-destructive': true }),
    ...(perTenant && { 'x-minions-per-tenant': true }),
    responses: {
      200: {
        description: 'The result.',
        content: { 'application/json': { schema: components.schema(output) } },
      },
      ...responses,
      ...problems,
    },
  }
}
