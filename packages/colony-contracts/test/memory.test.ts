import { memoryStorage } from '@minions/core'
import { contractsSuite } from './suites/all.js'

contractsSuite('memory', async () => ({ backend: memoryStorage() }))
