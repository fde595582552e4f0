// @ts-check

import { Policy } from '@minions/approvals'
import { MinionsError as ClientError, createClient } from '@minions/client'
import { exampleMission, TaskQueue } from '@minions/colony'
import { artifactExamples, MissionIndex } from '@minions/colony-contracts'
import { MinionsError, RelationGraph, TypedEmitter } from '@minions/core'
import { Fifo, Mutex, MutexPool, Semaphore } from '@minions/core/coordination'
import { BoundedMap } from '@minions/core/json'
import { MemoryEngine } from '@minions/core/memory'
import { compilePattern, compileSchema, compileType } from '@minions/core/schema'
import {
  ChangeNotes,
  ChangeWatchers,
  GroupCommit,
  Retention,
  RunAgain,
  StorageSchemes,
  WriteBatch,
} from '@minions/core/storage'
import { TypeRegistry } from '@minions/core/types'
import { FileLock } from '@minions/files'
import {
  CompiledTemplate,
  evaluators,
  PromptChain,
  PromptDiff,
  PromptRenderer,
  PromptScorer,
  RendererError,
  TemplateError,
} from '@minions/prompts'
import { createHandler } from '@minions/server'
import { ChangeEvents } from '@minions/server/plugin'
import { inProcessTransport, NonRetryableError, WorkerRunner } from '@minions/skills-runtime'
import { injectFaults, scriptedSkill, VirtualClock } from '@minions/skills-runtime/testing'
import {
  Agent,
  dataFiles,
  initWorkspace,
  Node,
  Rule,
  SessionStore,
  Workspace,
  WorkspaceLayout,
} from '@minions/workspace'
import { Type } from 'typebox'
import { openStore, ship, ships } from './storage.mjs'

/** @import { World } from '../world.mjs' */

/** @param {World} world */
async function sessions(world) {
  const root = world.path()
  await initWorkspace(root)
  const store = new SessionStore(root)
  await store.create('s2')
  return store
}

/** @param {World} world */
async function data(world) {
  const root = world.path()
  await initWorkspace(root)
  const files = dataFiles({ name: 'W', root_path: root })
  await files.write('a.txt', 'text')
  return files
}

/** @param {World} world */
async function ledger({ app }) {
  const { store } = app.contracts
  await store.put(artifactExamples.mission_envelope)
  return store.ledger(artifactExamples.mission_envelope.mission_id)
}

/** @param {World} _ */
async function stored(_) {
  const store = await openStore()
  await store.put(ships, ship('mary-rose'))
  return store
}

function workspace() {
  const made = new Workspace({ name: 'W', id: 'w1' })
  made.addNode(new Node({ name: 'N', id: 'n1' }))
  made.addRule(new Rule({ name: 'R', id: 'r1' }))
  return made
}

/** An instance of every exported class of which an app has none, for its methods. @type {Record<string, (world: World) => any>} */
export const instances = {
  'core.MinionsError': () => new MinionsError('NOT_FOUND', 'Nothing is there.'),
  'core.RelationGraph': () => new RelationGraph(),
  'core/types.TypeRegistry': () => new TypeRegistry(),
  'core.TypedEmitter': () => new TypedEmitter(),
  'core/coordination.Fifo': () => new Fifo(),
  'core/json.BoundedMap': () => new BoundedMap(2),
  'core/coordination.Mutex': () => new Mutex(),
  'core/coordination.MutexPool': () => new MutexPool(),
  'core/coordination.Semaphore': () => new Semaphore(1),
  'core/memory.MemoryEngine': () => {
    const engine = new MemoryEngine()
    engine.declare([ships])
    return engine
  },
  'core/storage.ChangeNotes': () => new ChangeNotes(),
  'core/storage.ChangeWatchers': () => new ChangeWatchers(),
  'core/storage.Collection': () => ships,
  'core/storage.GroupCommit': () =>
    new GroupCommit({
      begin: () => undefined,
      enter: () => /** @type {any} */ ({}),
      leave: () => undefined,
      undo: () => true,
      commit: () => undefined,
      rollback: () => undefined,
    }),
  'core/storage.Retention': () => new Retention('Memory', undefined),
  'core/storage.RunAgain': () => new RunAgain(new Error('a')),
  'core/storage.StorageSchemes': () => new StorageSchemes(),
  'core/storage.Store': stored,
  'core/storage.WriteBatch': () => new WriteBatch(),
  'approvals.Policy': () => new Policy([{ name: 'ask', action: 'ask', call: 'external_*' }], 1),
  'client.MinionsError': () => new ClientError('NOT_FOUND', 'Nothing is there.'),
  'colony.TaskQueue': () => new TaskQueue(),
  'colony.TenantMissions': ({ app }) => app.colony.forTenant(String(exampleMission.envelope.tenant_id)),
  'colony-contracts.MissionIndex': () => new MissionIndex(artifactExamples.mission_envelope),
  'files.FileLock': (world) => {
    world.path()
    return new FileLock({ directory: world.folder, busy: () => new MinionsError('STORAGE_BUSY', 'Busy.') })
  },
  'prompts.CompiledTemplate': () => new CompiledTemplate('Hello {{name}}'),
  'prompts.PromptChain': ({ app }) => new PromptChain(app),
  'prompts.PromptDiff': () => new PromptDiff(),
  'prompts.PromptRenderer': () => new PromptRenderer(),
  'prompts.PromptScorer': ({ app }) => new PromptScorer(app),
  'prompts.RendererError': () => new RendererError('VARIABLES_MISSING', 'name is missing'),
  'prompts.TemplateError': () => new TemplateError('is not closed', 'Hello {{', 6),
  'server/plugin.ChangeEvents': ({ app }) => new ChangeEvents(app, []),
  'skills-runtime.NonRetryableError': () => new NonRetryableError('It failed.'),
  'skills-runtime.WorkerRunner': () => new WorkerRunner(),
  'skills-runtime/testing.VirtualClock': () => new VirtualClock(),
  'workspace.Agent': () => new Agent('scout', { model: () => 'Hello' }),
  'workspace.Node': () => new Node({ name: 'N' }),
  'workspace.Rule': () => new Rule({ name: 'R' }),
  'workspace.SessionStore': sessions,
  'workspace.Workspace': workspace,
  'workspace.WorkspaceLayout': (world) => WorkspaceLayout.fromRoot(world.folder),
}

/** Objects and functions that calls return and that are called in turn. @type {Record<string, (world: World) => any>} */
export const returned = {
  'compilePattern()': () => compilePattern('^a+$'),
  'compileSchema()': () => compileSchema(Type.Object({ a: Type.Optional(Type.String()) })),
  'compileType()': () => compileType({ schema: [{ name: 'a', type: 'string' }] }),
  'createClient()': () =>
    createClient({ url: 'http://127.0.0.1:1/', retries: 0, fetch: async () => new Response('{}') }),
  'createHandler()': ({ app }) => createHandler(/** @type {any} */ (app)),
  'dataFiles()': data,
  'evaluators.contains()': () => evaluators.contains('a'),
  'evaluators.regex()': () => evaluators.regex('^a'),
  'evaluators.jsonSchema()': () => evaluators.jsonSchema({ type: 'object' }),
  'evaluators.equals()': () => evaluators.equals('a'),
  'evaluators.length()': () => evaluators.length({ max: 5 }),
  'forTenant()': ({ app }) => app.contracts.store.forTenant('acme'),
  'inProcessTransport()': () => inProcessTransport(),
  'injectFaults()': async (world) => injectFaults(await stored(world)),
  'ledger()': ledger,
  'scriptedSkill()': () => scriptedSkill('sing', [{ return: {} }]),
}
