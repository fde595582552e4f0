export { CLI_ERROR_CODES, type CliErrorCode } from './errors.js'
export { main } from './main.js'
