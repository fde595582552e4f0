// @ts-check
import { defineOperation, findOperation } from '@minions/core/operations'
import { createToken, pluginRef, tokens } from '@minions/core/plugin'
import { Type } from 'typebox'

/** @import { Arguments } from '../targets.mjs' */

const ref = () => pluginRef()('@acme/greeter', 'greeter')
const operation = () => ({
  name: 'acme.greet',
  summary: 'Greet by name',
  description: 'It greets.',
  access: 'read',
  input: Type.Object({ name: Type.String({ description: 'Who.', examples: ['Ada'] }) }),
  output: Type.String(),
  examples: [{ title: 'Greet Ada', input: { name: 'Ada' }, given: [['objects.count', {}]] }],
  deps: {},
  run: () => 'Hello',
})
const grant = () => ({ access: ['read'], namespaces: ['objects'], confined: false, shared: ['prompts'] })

/** Tokens, plugins and operations. @type {Record<string, Arguments>} */
export const pluginArguments = {
  'core/plugin.createToken': () => ['@acme/clock'],
  'core/plugin.definePlugin': () => [
    {
      ref: ref(),
      version: '1.0.0',
      deps: { clock: tokens.clock },
      types: [],
      collections: [],
      provides: [],
      contributes: [],
      setup: () => ({}),
      dispose: () => undefined,
    },
  ],
  'core/plugin.extensionPoint': () => ['@acme/formats', { key: () => 'a', check: () => undefined }],
  'core/plugin.guarded': () => ['greet', () => undefined, { code: 'NOT_FOUND', callsBack: true }],
  'core/plugin.guardMethods': () => [class Greeter {}, { callsBack: ['a'], except: ['b'] }],
  'core/plugin.optional': () => [ref()],
  'core/plugin.override': () => [createToken('@acme/clock'), (/** @type {unknown} */ previous) => previous],
  'core/plugin.provide': () => [createToken('@acme/clock'), () => 1],
  'core/plugin.readClock': () => [() => new Date(0)],
  'core/plugin.readMillis': () => [() => new Date(0)],
  'core/plugin.takeList': () => ['The names', ['a'], 5],
  'core/plugin.takeOptions': () => ['The options', { a: 1 }],
  'core/operations.asPage': () => [{ items: [1], nextCursor: 'a' }],
  'core/operations.catalogueOf': ({ app }) => [app],
  'core/operations.operationsOf': ({ app }) => [app],
  'core/operations.findOperation': ({ app }) => [app, 'objects.create'],
  'core/operations.defineOperation': () => [operation()],
  'core/operations.includesAccess': () => [['read'], 'read'],
  'core/operations.isWithin': () => [grant(), grant()],
  'core/operations.pageOf': () => [Type.String()],
  'core/operations.permits': ({ app }) => [grant(), findOperation(app, 'objects.get').value],
  'core/operations.requireTenant': () => [{ tenant: 'acme' }],
  'core/operations.runExample': ({ app }) => [
    app,
    { name: 'objects.count' },
    { title: 'Count', input: {}, given: [['objects.count', {}]], by: 'ada', tenant: 'acme' },
  ],
  'core/operations.runOperation': ({ app }) => [
    app,
    'objects.count',
    {},
    { by: 'ada', tenant: 'acme', signal: AbortSignal.timeout(60_000), progress: () => undefined },
  ],
  'core/operations.operations.key': () => [defineOperation(/** @type {any} */ (operation()))],
  'core/operations.operations.check': () => [defineOperation(/** @type {any} */ (operation()))],
}
