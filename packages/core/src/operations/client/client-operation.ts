import { tokens } from '../../plugin/tokens.js'
import { operationsWith } from '../operations-with.js'

export const clientOperation = operationsWith({ client: tokens.client })
