export { CLI_ERROR_CODES, type CliErrorCode } from './error-codes.js'
export { main } from './main.js'
