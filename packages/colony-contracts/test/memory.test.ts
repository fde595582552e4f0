import { memoryStorage } from '@minions/core/memory'
import { contractsSuite } from './suites/all.js'

contractsSuite('memory', async () => ({ backend: memoryStorage() }))
