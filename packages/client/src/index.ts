export { createClient } from './create-client.js'
export { CLIENT_ERROR_CODES, isMinionsError, MinionsError, type MinionsErrorOptions } from './errors.js'
export type { ClientOptions } from './transport.js'
export type {
  CallOptions,
  ChangeEvent,
  Client,
  ClientBase,
  EventOptions,
  OperationCall,
  OperationsOf,
  PagedCall,
  Progress,
  Run,
  RunHandle,
} from './types.js'
