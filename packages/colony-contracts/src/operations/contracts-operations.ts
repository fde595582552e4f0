import type { Operation } from '@minions/core/operations'
import * as artifacts from './artifacts.js'
import * as proposals from './proposals.js'

export const contractsOperations = [
  artifacts.put,
  artifacts.list,
  artifacts.get,
  artifacts.validate,
  artifacts.tenants,
  proposals.list,
  proposals.get,
  proposals.approve,
  proposals.reject,
] as const satisfies readonly Operation[]
