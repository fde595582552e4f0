import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import type { OperationContext } from './operation.js'

/** The tenant of a call, for an operation that requires one. Throws `VALIDATION_FAILED` when it is missing. */
export const requireTenant = guarded('requireTenant', ({ tenant }: OperationContext): string => {
  if (tenant !== undefined && tenant !== '') return tenant
  throw coreError(
    'VALIDATION_FAILED',
    'This operation requires a tenant; give its id as `tenant` of the call, or as --tenant on the command line.',
  )
})
