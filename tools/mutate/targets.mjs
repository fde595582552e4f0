// @ts-check

/**
 * What is mutated, and the tests that must notice.
 * @typedef {object} Target
 * @property {string} area
 * @property {string} package the folder of the package whose tests run
 * @property {readonly string[]} files that are mutated, from the root; a folder stands for all its files
 * @property {readonly string[]} tests of the package
 * @property {string} [named] only tests whose names match
 */

/** The quick ones first. @type {readonly Target[]} */
export const targets = [
  {
    area: 'storage',
    package: 'packages/core',
    files: ['packages/core/src/storage/group-commit.ts'],
    tests: ['test/storage/group-commit.test.ts', 'test/storage/store.test.ts'],
  },
  {
    area: 'lifecycle',
    package: 'packages/core',
    files: ['packages/core/src/lifecycle'],
    tests: ['test/lifecycle'],
  },
  {
    area: 'leases',
    package: 'packages/core',
    files: ['packages/core/src/coordination/lease.ts', 'packages/core/src/coordination/semaphore.ts'],
    tests: ['test/coordination/lease.test.ts', 'test/coordination/semaphore.test.ts'],
  },
  {
    area: 'leases',
    package: 'packages/files',
    files: ['packages/files/src/file-lock.ts'],
    tests: ['test/file-lock.test.ts'],
  },
  {
    area: 'contracts',
    package: 'packages/colony-contracts',
    files: [
      'packages/colony-contracts/src/graph',
      'packages/colony-contracts/src/mission',
      'packages/colony-contracts/src/validation',
    ],
    tests: ['test'],
  },
  {
    area: 'storage',
    package: 'packages/storage-testkit',
    files: ['packages/core/src/storage/memory/changes.ts', 'packages/core/src/storage/memory/engine.ts'],
    tests: ['test/memory.test.ts'],
    named:
      ': storage (transactions|batches|concurrency|references|uniqueness|unique|revisions|random callers|random transactions)',
  },
  {
    area: 'storage',
    package: 'packages/storage-sqlite',
    files: [
      'packages/storage-sqlite/src/sqlite-group.ts',
      'packages/storage-sqlite/src/transaction.ts',
      'packages/storage-sqlite/src/references.ts',
    ],
    tests: ['test/sqlite.test.ts', 'test/durability.test.ts'],
    named: 'SQLite file: storage (transactions|batches|concurrency|references|random callers)|flush|create|synchronous',
  },
  {
    area: 'storage',
    package: 'packages/storage-fs',
    files: [
      'packages/storage-fs/src/file-group.ts',
      'packages/storage-fs/src/staged-files.ts',
      'packages/storage-fs/src/prepare-commit.ts',
      'packages/storage-fs/src/journal',
    ],
    tests: ['test/conformance.test.ts', 'test/durability.test.ts', 'test/journal.test.ts', 'test/crash-points.test.ts'],
    named:
      'JSON: storage (transactions|batches|concurrency|references|random callers)|^(?!fs, |upgrades|gives an older|has all or nothing also)',
  },
]
