import { eventSources, operations } from '@minions/core/operations'
import { approvalGate, auditTrail, definePlugin, guarded, optional, provide, tokens } from '@minions/core/plugin'
import { Type } from 'typebox'
import manifest from '../package.json' with { type: 'json' }
import { Approvals, type ApprovalsParts } from './approvals/approvals.js'
import { approvalEventsCollection, approvalsCollection } from './approvals/record.js'
import { noticesCollection } from './notify/notices.js'
import { approvalNotifiers } from './notify/notifier.js'
import { approvalsOperations } from './operations/approvals-operations.js'
import { RulesSchema } from './policy/policy.js'
import { policyVersionsCollection } from './policy/versions.js'
import { approvalsRef } from './ref.js'

export interface ApprovalsOptions
  extends Partial<Pick<ApprovalsParts, 'rules' | 'notifiers' | 'expiresInMs' | 'validForMs' | 'clock' | 'timers'>> {}

const milliseconds = Type.Optional(Type.Integer({ minimum: 1 }))

const SettingsSchema = Type.Object({
  rules: Type.Optional(RulesSchema),
  expiresInMs: milliseconds,
  validForMs: milliseconds,
})

/** Everything that approvals store. */
export const approvalsCollections = [
  approvalsCollection,
  approvalEventsCollection,
  policyVersionsCollection,
  noticesCollection,
] as const

/** Approvals as a plugin: `app.approvals`. Missions, skills and prompts use them once they are installed. */
export const approvals = guarded('approvals', ({ notifiers = [], clock, timers, ...settings }: ApprovalsOptions = {}) =>
  definePlugin({
    ref: approvalsRef,
    version: manifest.version,
    deps: {
      storage: tokens.store,
      clock: tokens.clock,
      log: tokens.logger,
      audit: optional(auditTrail),
      contributed: approvalNotifiers,
    },
    collections: approvalsCollections,
    contributes: [
      [operations, approvalsOperations],
      [eventSources, [{ collection: approvalsCollection, operation: 'approvals.get', tenant: 'tenant_id' }]],
    ],
    provides: [provide(approvalGate, (api: Approvals) => api)],
    options: { schema: SettingsSchema, value: settings },
    setup({ contributed, ...deps }) {
      const all = [...notifiers, ...contributed.map(({ value }) => value)]
      const parts = { ...deps, clock: clock ?? deps.clock, timers }
      const api = new Approvals({ ...parts, ...settings, notifiers: all })
      api.start()
      return api
    },
    dispose: (api) => api.close(),
  }),
)
