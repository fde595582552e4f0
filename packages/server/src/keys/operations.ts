import { timestamp } from '@minions/core'
import {
  ACCESS_KINDS,
  asPage,
  defineOperation,
  isWithin,
  type OperationContext,
  pageInput,
  pageOf,
} from '@minions/core/operations'
import { isDate } from '@minions/core/schema'
import { Type } from 'typebox'
import { serverError } from '../errors.js'
import { serverRef } from '../ref.js'
import { grantOf } from './grant-of.js'
import { type ApiKey, ApiKeySchema } from './key-record.js'

const deps = { server: serverRef }
const closed = { additionalProperties: false } as const

const Owner = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Its user, the author of every change made with it.',
  examples: ['ada'],
})

const areas = (description: string, example: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$', maxLength: 100 }), {
      maxItems: 100,
      description,
      examples: [[example]],
    }),
  )

export const create = defineOperation({
  name: 'keys.create',
  summary: 'Create an API key for the server',
  description:
    'The key is shown only in the answer: the store keeps a hash of it. A caller cannot grant more than it has.',
  access: 'admin',
  perTenant: true,
  secret: true,
  input: Type.Object(
    {
      owner: Owner,
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'What it is for.', examples: ['Nightly report'] }),
      ),
      scopes: Type.Array(Type.Enum(ACCESS_KINDS), {
        default: ['read'],
        minItems: 1,
        description: 'Kinds of access: read, write, approve, admin; read by default.',
        examples: [['read', 'write']],
      }),
      namespaces: areas('Areas whose operations it may run, such as prompts; all by default.', 'prompts'),
      tenant: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The tenant it is confined to; any tenant by default.',
          examples: ['acme'],
        }),
      ),
      shared: areas('For a key with a tenant: areas shared between tenants that it may use all the same.', 'prompts'),
      expiresAt: Type.Optional(
        Type.String({
          description: 'When it expires: a date, or a date and time with its offset; never by default.',
          examples: ['2099-12-31'],
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({
    key: Type.String({ description: 'The key itself, to be sent as `Authorization: Bearer …`.' }),
    record: ApiKeySchema,
  }),
  examples: [{ title: 'A key that reads', input: { owner: 'ada', scopes: ['read'] } }],
  deps,
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

export const list = defineOperation({
  name: 'keys.list',
  summary: 'List the API keys of the server, without their secrets',
  access: 'admin',
  perTenant: true,
  input: Type.Object({ owner: Type.Optional(Owner), ...pageInput }, closed),
  output: pageOf(ApiKeySchema),
  examples: [{ title: 'All keys', given: [['keys.create', { owner: 'ada' }]], input: {} }],
  deps,
  run: async (filter, { server }, { tenant }) => asPage(await server.keys.list({ ...filter, tenant })),
})

export const revoke = defineOperation({
  name: 'keys.revoke',
  summary: 'Revoke an API key, or all keys of an owner, at once',
  access: 'admin',
  perTenant: true,
  destructive: true,
  input: Type.Object(
    {
      id: Type.Optional(Type.String({ minLength: 1, description: 'Id of the key.', examples: ['0123456789abcdef'] })),
      owner: Type.Optional(Owner),
    },
    { ...closed, minProperties: 1, maxProperties: 1 },
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
    const revoked: ApiKey[] = []
    let cursor: string | undefined
    do {
      const page = await server.keys.list({ owner, tenant, cursor })
      for (const key of page.items) revoked.push(await server.keys.revoke(key.id, { by, tenant }))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return { revoked }
  },
})

/** A caller within a tenant creates keys for that tenant only. */
function tenantOf(asked: string | undefined, { tenant }: OperationContext): string | undefined {
  if (tenant === undefined || asked === undefined || asked === tenant) return asked ?? tenant
  throw serverError('FORBIDDEN', `The caller belongs to the tenant "${tenant}" and cannot create keys for another one.`)
}

function moment(text: string): string {
  if (isDate(text)) return timestamp(Date.parse(text))
  throw serverError('VALIDATION_FAILED', `\`expiresAt\` must be a date, or a date and time with its offset.`)
}
