import { operations } from '@minions/core/operations'
import { approvalGate, type DeriveMinion, definePlugin, optional, type PluginType, tokens } from '@minions/core/plugin'
import manifest from '../package.json' with { type: 'json' }
import { checkLink } from './chain/check-link.js'
import { checkChange } from './check-change.js'
import { CORE_PROMPT_TEMPLATE_ID } from './convert/core-template.js'
import { executionsRef } from './datasets/from-executions.js'
import { freshnessOf } from './labels/follow-feed.js'
import { LabelCache } from './labels/label-cache.js'
import { labelGuards } from './labels/label-guard.js'
import { OwnChanges } from './labels/own-changes.js'
import { protectedLabelsCollection } from './labels/protected-labels.js'
import { buildIndex } from './lookup/build-index.js'
import { indexCollections } from './lookup/collections.js'
import { followChange, followImport, followLink, followUnlink } from './lookup/follow-changes.js'
import { IndexLookup } from './lookup/index-lookup.js'
import { promptOperations } from './operations/prompt-operations.js'
import { PromptsApi } from './prompts-api.js'
import { promptsRef } from './ref.js'
import { derivePrompt } from './types/derive-prompt.js'
import { promptResultType } from './types/prompt-result.js'
import { promptTemplateType } from './types/prompt-template.js'
import { promptTestType } from './types/prompt-test.js'
import { promptVariableType } from './types/prompt-variable.js'
import { promptVersionType } from './types/prompt-version.js'

// Typed by core, so that the type of the plugin does not name a function of ours.
const derive: DeriveMinion = derivePrompt

/**
 * The types passed to a client: the slug `prompt-template` is taken over from core's type, which remains, and prompts
 * and versions are completed whenever they are written.
 */
export const promptPluginTypes = [
  { type: promptTemplateType, takesSlugOf: CORE_PROMPT_TEMPLATE_ID, derive },
  { type: promptVersionType, derive },
  promptVariableType,
  promptTestType,
  promptResultType,
] as const satisfies readonly PluginType[]

/** Versioned prompts as a plugin, available as `app.prompts`. */
export const prompts = () => {
  const changes = new OwnChanges()
  return definePlugin({
    ref: promptsRef,
    version: manifest.version,
    deps: {
      client: tokens.client,
      store: tokens.store,
      backend: tokens.backend,
      log: tokens.logger,
      guards: labelGuards,
      executions: optional(executionsRef),
      approvals: optional(approvalGate),
    },
    types: promptPluginTypes,
    collections: [...indexCollections, protectedLabelsCollection],
    contributes: [[operations, promptOperations]],
    async setup({ client, store, backend, log, guards: contributed, executions, approvals }) {
      await buildIndex(store)
      const guards = contributed.map(({ value }) => value)
      const lookup = new IndexLookup(client)
      const cache = new LabelCache({ client, lookup }, freshnessOf(store, backend, log))
      const api = new PromptsApi(client, { lookup, guards, cache, executions, approvals })
      changes.caches.set(api, cache)
      return api
    },
    join: (_api, { client, guards, approvals }) =>
      new PromptsApi(client, { lookup: new IndexLookup(client), guards: guards.map(({ value }) => value), approvals }),
    dispose(api) {
      changes.caches.get(api)?.stop()
      changes.caches.delete(api)
    },
    async onChange(change, tx) {
      checkChange(change)
      await followChange(change, tx)
      changes.minion(change, tx)
    },
    async onLink(relation, tx) {
      await checkLink(relation, tx)
      await followLink(relation, tx)
      changes.relation(relation, tx)
    },
    async onUnlink(relation, tx) {
      await followUnlink(relation, tx)
      changes.relation(relation, tx)
    },
    async onImport(imported, tx) {
      await followImport(imported, tx)
      changes.imported(tx)
    },
  })
}
