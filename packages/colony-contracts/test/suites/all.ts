import { describe } from 'vitest'
import type { CreateBackend } from './context.js'
import { gateSuite } from './gate.js'
import { layersSuite } from './layers.js'
import { ledgerSuite } from './ledger.js'
import { proposalsSuite } from './proposals.js'
import { readingSuite } from './reading.js'
import { storeSuite } from './store.js'

/** Everything that must hold on every backend. */
export function contractsSuite(name: string, create: CreateBackend): void {
  describe(name, () => {
    describe('storing', () => storeSuite(create))
    describe('reading', () => readingSuite(create))
    describe('validation layers', () => layersSuite(create))
    describe('gate', () => gateSuite(create))
    describe('ledgers', () => ledgerSuite(create))
    describe('proposals', () => proposalsSuite(create))
  })
}
