import { operationsOf } from '@minions/core/operations'
import { guarded } from '@minions/core/plugin'
import manifest from '../../package.json' with { type: 'json' }
import { ProblemSchema } from '../http/problem.js'
import { RunSchema } from '../runs/run-record.js'
import type { ServedApp } from '../served-app.js'
import { Components } from './components.js'
import { operationPaths } from './operation-paths.js'
import { problems } from './problems.js'

/** The relevant parts of an OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, unknown>>
  readonly [part: string]: unknown
}

const DESCRIPTION = `Everything that can be done with this app. Each operation is \`POST /api/operations/{name}\` with its input as a JSON object; one that only reads is also \`GET\`, with its input as query parameters. Errors are problem documents (RFC 9457) with a stable \`code\`.`

const header = (name: string, description: string) => ({ name, in: 'header', description, schema: { type: 'string' } })

const parameters = {
  Tenant: header('Minions-Tenant', 'The tenant of the call; that of the key, if it has one.'),
  Prefer: header(
    'Prefer',
    '`respond-async` makes the call a run at once, `wait=5` after that many seconds, unless it is done by then.',
  ),
  IdempotencyKey: header('Idempotency-Key', 'A repeated request with the same key gets the first answer, for a day.'),
}

const status = (summary: string, value: string) => ({
  get: {
    operationId: `server.${value === 'ok' ? 'health' : 'ready'}`,
    tags: ['server'],
    summary,
    description: `${summary}. Open to everyone.`,
    security: [],
    responses: {
      200: {
        description: 'It is.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['status'],
              properties: { status: { const: value } },
            },
          },
        },
      },
      ...problems,
    },
  },
})

const choice = (name: string, description: string) => ({
  name,
  in: 'query',
  description: `${description} May be repeated.`,
  schema: { type: 'array', items: { type: 'string' } },
})

const events = {
  get: {
    operationId: 'server.events',
    tags: ['server'],
    summary: 'Follow what is committed to the store',
    description:
      'Server-sent events, each `change` with what was written or removed. One value of each parameter must match, and all parameters must match.',
    parameters: [
      { $ref: '#/components/parameters/Tenant' },
      choice('type', 'Slug or id of a type of minions.'),
      choice('id', 'Id of a record.'),
      choice('mission', 'Id of a mission.'),
      choice('topic', 'Topic of messages.'),
      choice('collection', 'Name of a collection, such as `minions`.'),
      {
        name: 'since',
        in: 'query',
        description: 'The id of an event, `start` for all that are kept, or `now`, the default.',
        schema: { type: 'string' },
      },
      header('Last-Event-ID', 'The id of the last event received; takes precedence over `since`.'),
    ],
    responses: {
      200: {
        description: 'A stream that does not end.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...problems,
    },
  },
}

/** Describes the operations of an app. */
export const openApiDocument = guarded('openApiDocument', (app: ServedApp): OpenApiDocument => {
  const components = new Components()
  const operations = [...operationsOf(app).values()]
  const paths = Object.fromEntries(operations.flatMap(({ value }) => operationPaths(value, components)))
  const areas = new Map(operations.map(({ value, plugin }) => [value.name.slice(0, value.name.indexOf('.')), plugin]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Minions',
      version: manifest.version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server of this document.' }],
    security: [{ key: [] }, { basic: [] }],
    tags: [
      { name: 'server', description: 'The server itself.' },
      ...[...areas].map(([name, plugin]) => ({ name, description: `Operations of ${plugin}.` })),
    ],
    paths: {
      '/api/health': status('Check that the process is alive', 'ok'),
      '/api/ready': status('Check that requests are accepted', 'ready'),
      '/api/events': events,
      ...paths,
    },
    components: {
      schemas: components.schemas,
      responses: {
        Problem: {
          description: 'What went wrong.',
          content: { 'application/problem+json': { schema: components.schema(ProblemSchema) } },
        },
        Run: {
          description: 'It takes longer, and continues as a run: see `Location`.',
          headers: { Location: { description: 'Where the run is.', schema: { type: 'string' } } },
          content: { 'application/json': { schema: components.schema(RunSchema) } },
        },
      },
      parameters,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, created with `minions keys create`.' },
        basic: { type: 'http', scheme: 'basic', description: 'The key as the password, with any name.' },
      },
    },
  }
})
