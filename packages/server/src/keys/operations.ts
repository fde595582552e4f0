import { everyPage, timestamp } from '@minions/core'
import {
  ACCESS_KINDS,
  asPage,
  defineOperation,
  isWithin,
  type Operation,
  type OperationContext,
  operationsWith,
  pageInput,
  pageOf,
  property,
} from '@minions/core/operations'
import { isDate, strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { serverError } from '../errors.js'
import { serverRef } from '../ref.js'
import { grantOf } from './grant-of.js'
import { type ApiKey, ApiKeySchema } from './key-record.js'

const deps = { server: serverRef }
const operation = operationsWith(deps, { perTenant: true })

const Owner = property.text('Its user, the author of every change made with it.', 'ada', {
  minLength: 1,
  maxLength: 200,
})

const areas = (description: string, example: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$', maxLength: 100 }), {
      maxItems: 100,
      description,
      examples: [[example]],
    }),
  )

export const create = operation({
  name: 'keys.create',
  summary: 'Create an API key for the server',
  description:
    'The key is shown only in the answer: the store keeps a hash of it. A caller cannot grant more than it has.',
  access: 'admin',
  secret: true,
  input: {
    owner: Owner,
    name: Type.Optional(property.text('What it is for.', 'Nightly report', { minLength: 1, maxLength: 200 })),
    scopes: Type.Array(Type.Enum(ACCESS_KINDS), {
      default: ['read'],
      minItems: 1,
      description: 'Kinds of access: read, write, approve, admin; read by default.',
      examples: [['read', 'write']],
    }),
    namespaces: areas('Areas whose operations it may run, such as prompts; all by default.', 'prompts'),
    tenant: Type.Optional(
      property.text('The tenant it is confined to; any tenant by default.', 'acme', { minLength: 1, maxLength: 200 }),
    ),
    shared: areas('For a key with a tenant: areas shared between tenants that it may use all the same.', 'prompts'),
    expiresAt: Type.Optional(
      property.text('When it expires: a date, or a date and time with its offset; never by default.', '2099-12-31'),
    ),
  },
  output: Type.Object({
    key: Type.String({ description: 'The key itself, to be sent as `Authorization: Bearer …`.' }),
    record: ApiKeySchema,
  }),
  examples: [{ title: 'A key that reads', input: { owner: 'ada', scopes: ['read'] } }],
  async run({ expiresAt, ...input }, { server }, context) {
    const tenant = tenantOf(input.tenant, context)
    if (!isWithin(grantOf({ ...input, tenant }), context.grant)) {
      throw serverError('FORBIDDEN', 'The key would grant more than the caller has; remove the excess.')
    }
    if (input.shared !== undefined && tenant === undefined) {
      throw serverError('VALIDATION_FAILED', '`shared` is for a key with a tenant; give the `tenant` as well.')
    }
    return server.keys.create({
      ...input,
      ...(tenant !== undefined && { tenant }),
      ...(expiresAt !== undefined && { expiresAt: moment(expiresAt) }),
      ...(context.by !== undefined && { createdBy: context.by }),
    })
  },
})

export const list = operation({
  name: 'keys.list',
  summary: 'List the API keys of the server, without their secrets',
  access: 'admin',
  input: { owner: Type.Optional(Owner), ...pageInput },
  output: pageOf(ApiKeySchema),
  examples: [{ title: 'All keys', given: [['keys.create', { owner: 'ada' }]], input: {} }],
  run: async (filter, { server }, { tenant }) => asPage(await server.keys.list({ ...filter, tenant })),
})

export const revoke = defineOperation({
  name: 'keys.revoke',
  summary: 'Revoke an API key, or all keys of an owner, at once',
  access: 'admin',
  perTenant: true,
  destructive: true,
  input: strictObject(
    {
      id: Type.Optional(property.text('Id of the key.', '0123456789abcdef', { minLength: 1 })),
      owner: Type.Optional(Owner),
    },
    { minProperties: 1, maxProperties: 1 },
  ),
  output: Type.Object({ revoked: Type.Array(ApiKeySchema) }),
  examples: [
    {
      title: 'All keys of an owner',
      given: [['keys.create', { owner: 'ada' }]],
      input: { owner: 'ada' },
    },
  ],
  deps,
  async run({ id, owner }, { server }, { by, tenant }) {
    if (id !== undefined) return { revoked: [await server.keys.revoke(id, { by, tenant })] }
    const keys = await everyPage((next) => server.keys.list({ owner, tenant, ...next }))
    const revoked: ApiKey[] = []
    for (const key of keys) revoked.push(await server.keys.revoke(key.id, { by, tenant }))
    return { revoked }
  },
})

export const keyOperations = [create, list, revoke] as const satisfies readonly Operation[]

/** A caller within a tenant creates keys for that tenant only. */
function tenantOf(asked: string | undefined, { tenant }: OperationContext): string | undefined {
  if (tenant === undefined || asked === undefined || asked === tenant) return asked ?? tenant
  throw serverError('FORBIDDEN', `The caller belongs to the tenant "${tenant}" and cannot create keys for another one.`)
}

function moment(text: string): string {
  if (isDate(text)) return timestamp(Date.parse(text))
  throw serverError('VALIDATION_FAILED', `\`expiresAt\` must be a date, or a date and time with its offset.`)
}
