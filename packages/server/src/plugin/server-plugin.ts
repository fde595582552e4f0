import { tokenSource } from '@minions/core/coordination'
import { eventSources, operations } from '@minions/core/operations'
import { definePlugin, optional, sharedLimits, tokens } from '@minions/core/plugin'
import manifest from '../../package.json' with { type: 'json' }
import { answerCollection } from '../answers/answer-record.js'
import { Answers } from '../answers/answers.js'
import { Housekeeping } from '../housekeeping.js'
import { ApiKeys } from '../keys/api-keys.js'
import { keyCollection } from '../keys/key-record.js'
import { keyOperations } from '../keys/operations.js'
import { serverRef } from '../ref.js'
import { httpRoutes } from '../routes/mounted-routes.js'
import { runOperations } from '../runs/run-operations.js'
import { runCollection } from '../runs/run-record.js'
import { Runs } from '../runs/runs.js'

/** The server's collections and operations; needed by `createHandler` and `serve`. */
export const server = () =>
  definePlugin({
    ref: serverRef,
    version: manifest.version,
    deps: {
      store: tokens.store,
      backend: tokens.backend,
      clock: tokens.clock,
      ids: tokens.ids,
      logger: tokens.logger,
      routes: httpRoutes,
      sources: eventSources,
      limits: optional(sharedLimits),
    },
    collections: [keyCollection, runCollection, answerCollection],
    contributes: [
      [operations, [...keyOperations, ...runOperations]],
      [eventSources, [{ collection: runCollection, operation: 'runs.get', tenant: 'tenant', owner: 'by' }]],
    ],
    setup({ store, backend, clock, ids, logger, routes, sources, limits }) {
      const keys = new ApiKeys(store, clock, backend)
      const runs = new Runs({ store, clock, logger, newToken: tokenSource() }, ids)
      const answers = new Answers(store, clock)
      const housekeeping = new Housekeeping([() => answers.sweep(), () => runs.sweep()], logger)
      return { keys, runs, answers, housekeeping, routes, sources: sources.map(({ value }) => value), logger, limits }
    },
    async dispose({ keys, runs, housekeeping }) {
      await Promise.all([keys.settle(), runs.interrupt(), housekeeping.settle()])
    },
  })
