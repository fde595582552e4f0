export { type Commit, MemoryEngine, type MemoryTransaction } from './engine.js'
export { matcher } from './match.js'
export { type MemoryStorageOptions, memoryStorage } from './memory-storage.js'
export { isBehind, type Row, rowOrder } from './row.js'
