import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { describe, expect, it } from 'vitest'
import { runCase, storageCases } from '../../src/index.js'
import {
  claimsTwice,
  forgetsTheKeyInACursor,
  forgetsWhenClosed,
  handsOutLiveRecords,
  hasOneVersion,
  ignoresChecks,
  ignoresReferences,
  ignoresUniqueness,
  keepsHalfBatches,
  keepsHalfTransactions,
  losesListsOfValues,
  losesUpdates,
  ordersByUtf16,
  ordersNamesByLength,
  pretendsToSearch,
  readsAnOldVersion,
  readsWholeTables,
  remembersWhatItRead,
  showsUncommittedWrites,
  skipsARowAfterACursor,
  spacesItsTexts,
} from './backends.js'

/** Each broken backend, and the case whose name tells what is wrong with it. */
const CAUGHT: readonly (readonly [() => StorageBackend, string])[] = [
  [losesUpdates, 'transactions that read and then write lose no update'],
  [losesUpdates, 'of many writes that require the same revision exactly one wins'],
  [losesUpdates, 'eight at once behave as if serial'],
  [ordersByUtf16, 'strings are ordered by code point, not by UTF-16 unit and not by a locale'],
  [losesListsOfValues, 'each query finds what the model finds, on 60 records'],
  [losesListsOfValues, 'each query finds what the model finds, on 2000 records'],
  [ordersNamesByLength, 'names are in canonical order from the first read, however they were written'],
  [handsOutLiveRecords, 'changing a record that was read changes nothing in the store'],
  [
    remembersWhatItRead,
    'it is the record that get finds, with its text and the version of the data, or nothing where there is none',
  ],
  [
    readsAnOldVersion,
    'it is the record that get finds, with its text and the version of the data, or nothing where there is none',
  ],
  [remembersWhatItRead, 'a record belongs to its reader'],
  [remembersWhatItRead, 'it is never what a transaction has not committed'],
  [
    spacesItsTexts,
    'it is the record that get finds, with its text and the version of the data, or nothing where there is none',
  ],
  [
    readsAnOldVersion,
    'it is the record that get finds, with its text and the version of the data, or nothing where there is none',
  ],
  [hasOneVersion, 'reads of the same version of the data, where they have one, have seen the same data'],
  [keepsHalfTransactions, 'a transaction that throws leaves nothing behind, and its error is passed on'],
  [keepsHalfTransactions, 'each succeeds or fails like the model, and leaves the same state'],
  [keepsHalfBatches, 'a record that is not as expected refuses the whole batch'],
  [keepsHalfBatches, 'each batch succeeds or fails like the model, and leaves the same state'],
  [ignoresChecks, 'a record that is not as expected refuses the whole batch'],
  [claimsTwice, 'many concurrent claims take no record twice, and take all'],
  [claimsTwice, 'batches, claims and transactions together lose no update'],
  [skipsARowAfterACursor, 'pages neither skip nor repeat a record, even among equal sort values'],
  [skipsARowAfterACursor, 'records whose sort values do not change are seen exactly once while others come and go'],
  [forgetsTheKeyInACursor, 'pages neither skip nor repeat a record, even among equal sort values'],
  [readsWholeTables, 'a page is read without reading all other records'],
  [showsUncommittedWrites, 'nothing is visible outside before commit'],
  [showsUncommittedWrites, 'readers during writers never see half a transaction'],
  [ignoresReferences, 'a dangling reference is refused at commit, and nothing is written'],
  [ignoresUniqueness, 'a second record with the same value is refused, with the columns, and nothing is written'],
  [pretendsToSearch, 'a capability that is declared off rejects, and one declared on does not'],
  [forgetsWhenClosed, 'records, revisions, columns, lists and text are preserved'],
]

describe('the kit catches', () => {
  for (const [make, caught] of CAUGHT) {
    it(`${make.name}: ${caught}`, async () => {
      const testCase = storageCases.find((candidate) => candidate.name === caught)
      if (!testCase) throw new Error(`There is no case "${caught}".`)
      await runCase(testCase, optionsFor(memoryStorage))
      await expect(runCase(testCase, optionsFor(make))).rejects.toThrow(
        /expected|should have been refused|Property failed/,
      )
    }, 120_000)
  }
})

function optionsFor(make: () => StorageBackend) {
  return {
    name: 'memory',
    create: async () => {
      const backend = make()
      return { backend, dispose: async () => {}, reopen: async () => backend }
    },
  }
}
