import { tokens } from '../../plugin/tokens.js'
import { operationsWith } from '../operations-with.js'

/** Defines an operation on the client. */
export const clientOperation = operationsWith({ client: tokens.client })
