// @ts-check
import { listKeys } from '@minions/server/plugin'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const key = () => ({
  owner: 'ada',
  name: 'laptop',
  scopes: ['read'],
  namespaces: ['objects'],
  tenant: 'acme',
  shared: ['prompts'],
  expiresAt: '2099-01-01T00:00:00.000Z',
  createdBy: 'ada',
})
const handler = () => ({
  hosts: ['localhost'],
  origins: ['http://localhost'],
  withoutKey: false,
  maxBodyBytes: 1000,
  readTimeout: 1000,
  runAfter: 1000,
  rateLimit: { points: 5, duration: 1 },
  streamsPerKey: 1,
  failureLimit: false,
})
const created = (/** @type {World} */ { app }) => /** @type {any} */ (app).server.keys.create(key())
const viewer = () => ({
  by: 'ada',
  tenant: 'acme',
  grant: { access: ['read', 'admin'], namespaces: ['objects', 'keys'], confined: false },
})
const request = () => ({ id: 'a', operation: 'objects.get', fingerprint: 'f' })

const call = () => ({ operation: listKeys, by: 'ada', tenant: 'acme' })
const begun = async (/** @type {World} */ { app }) => {
  const run = app.server.runs.begin(call(), async () => 1)
  await run.record()
  return run.id
}
const claimed = (/** @type {World} */ world) => world.app.server.answers.claim({ ...request(), id: world.name() })
const answer = () => ({ kind: 'result', result: { a: 1 } })
const routes = () => ({ path: '/hooks', access: 'public', deps: {}, handle: () => new Response('') })

/** The server. @type {Record<string, Arguments>} */
export const serverArguments = {
  'server.createHandler': ({ app }) => [app, handler()],
  'server.openApiDocument': ({ app }) => [app],
  'server.defineRoutes': () => [
    { path: '/hooks', access: 'public', deps: {}, maxBodyBytes: 1000, handle: () => new Response('') },
  ],
  'app.server.keys.create': () => [key()],
  'app.server.keys.list': () => [{ owner: 'ada', tenant: 'acme', limit: 5 }],
  'app.server.keys.revoke': async (world) => [(await created(world)).record.id, { by: 'ada', tenant: 'acme' }],
  'app.server.keys.verify': async (world) => [(await created(world)).key],
  'app.server.keys.isUsable': async (world) => [(await created(world)).record.id],
  'app.server.keys.isValid': async (world) => [(await created(world)).record],
  'app.server.keys.noteUse': async (world) => [(await created(world)).record],
  'app.server.runs.list': () => [{ status: 'running', operation: 'objects.get', limit: 5 }, viewer()],
  'app.server.answers.requestOf': () => [{ by: 'ada', tenant: 'acme' }, 'key', 'objects.get', { id: 'a' }],
  'app.server.answers.find': () => [request()],
  'app.server.answers.claim': (world) => [{ ...request(), id: world.name() }],
  'app.server.runs.settle': () => [5],
  'app.server.runs.begin': () => [call(), async () => 1],
  'app.server.runs.active': async (world) => [await begun(world)],
  'app.server.runs.get': async (world) => [await begun(world), viewer()],
  'app.server.runs.wait': async (world) => [await begun(world), 5, viewer(), AbortSignal.timeout(60_000)],
  'app.server.runs.cancel': async (world) => [await begun(world), viewer()],
  'app.server.answers.keep': async (world) => [await claimed(world), answer()],
  'app.server.answers.keepNew': (world) => [{ ...request(), id: world.name() }, answer()],
  'app.server.answers.release': async (world) => [await claimed(world)],
  'server/plugin.visibleTo': () => [viewer(), new Map()],
  'server/plugin.ChangeEvents#of': () => [{ collection: 'minions', key: 'a', revision: 'r', kind: 'put' }],
  'server.httpRoutes.key': () => [routes()],
  'server.httpRoutes.check': () => [routes()],
  'createHandler()': () => [new Request('http://localhost/health')],
}
