import type { GateErrorCode } from '@minions/core/plugin'
import { expectTypeOf, it } from 'vitest'
import type { ApprovalsErrorCode } from '../src/index.js'

it('every code with which a gate refuses a call is in the table of this package', () => {
  expectTypeOf<GateErrorCode>().toExtend<ApprovalsErrorCode>()
})
