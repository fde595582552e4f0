import type { Operation } from '@minions/core/operations'
import { create, list, revoke } from './operations.js'

/** Operations on the keys of the server. */
export const keyOperations = [create, list, revoke] as const satisfies readonly Operation[]
