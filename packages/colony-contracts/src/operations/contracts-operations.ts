import type { Operation } from '@minions/core'
import * as artifacts from './artifacts.js'
import * as proposals from './proposals.js'

/** Operations on the artifacts of missions and what they propose. */
export const contractsOperations: readonly Operation[] = [
  artifacts.put,
  artifacts.list,
  artifacts.get,
  artifacts.validate,
  proposals.list,
  proposals.get,
  proposals.approve,
  proposals.reject,
]
