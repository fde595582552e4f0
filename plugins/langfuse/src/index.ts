export { langfuse } from './plugin.js'
export { langfuseRef } from './ref.js'
