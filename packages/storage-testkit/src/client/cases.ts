import type { ConformanceCase } from '../case.js'
import { bundles } from './bundles.js'
import { changes } from './changes.js'
import { conformanceChecklist } from './conformance-checklist.js'
import { events } from './events.js'
import { evolution } from './evolution.js'
import { evolutionReads } from './evolution-reads.js'
import { evolutionTransforms } from './evolution-transforms.js'
import { keyOrder } from './key-order.js'
import { lifecycle } from './lifecycle.js'
import { middleware } from './middleware.js'
import { objects } from './objects.js'
import { queries } from './queries.js'
import { relations } from './relations.js'
import { transactions } from './transactions.js'
import { types } from './types.js'

export const clientCases: readonly ConformanceCase[] = [
  ...conformanceChecklist,
  ...lifecycle,
  ...objects,
  ...keyOrder,
  ...queries,
  ...relations,
  ...types,
  ...evolution,
  ...evolutionReads,
  ...evolutionTransforms,
  ...transactions,
  ...events,
  ...changes,
  ...middleware,
  ...bundles,
]
