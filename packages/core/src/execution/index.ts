export { EXECUTION_STATUSES, type ExecutionResult, type ExecutionStatus } from '../schemas/execution-result.js'
export type { Executable, ExecutionContext } from './executable.js'
export { type RunOptions, runExecutable } from './run-executable.js'
