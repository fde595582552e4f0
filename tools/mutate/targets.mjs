// @ts-check

/**
 * Tests of one package.
 * @typedef {object} Suite
 * @property {string} package its folder
 * @property {readonly string[]} tests files of the package
 * @property {string} [named] only tests whose names match
 */

/**
 * A change that breaks a promise, and must never pass unnoticed.
 * @typedef {{ file: string, from: string, to: string }} Breach `file` is a path from the root, `from` occurs in it once
 */

/**
 * What is mutated, and the tests that must notice.
 * @typedef {object} Target
 * @property {string} area
 * @property {readonly string[]} files of which a sample is mutated, from the root; a folder stands for all its files
 * @property {readonly Breach[]} [always] tried in every run, whatever the sample
 * @property {readonly Suite[]} suites one after another, until one notices
 */

/** The quick ones first. @type {readonly Target[]} */
export const targets = [
  {
    area: 'storage',
    files: ['packages/core/src/storage/group-commit.ts'],
    suites: [{ package: 'packages/core', tests: ['test/storage/group-commit.test.ts', 'test/storage/store.test.ts'] }],
  },
  {
    area: 'lifecycle',
    files: ['packages/core/src/lifecycle'],
    suites: [{ package: 'packages/core', tests: ['test/lifecycle'] }],
  },
  {
    area: 'lifecycle',
    files: [],
    always: [
      { file: 'packages/core/src/client/types/type-state.ts', from: ' || this.#changing.has(known.id)', to: '' },
    ],
    suites: [{ package: 'packages/core', tests: ['test/client/types-being-changed.test.ts'] }],
  },
  {
    area: 'lifecycle',
    files: [],
    always: [{ file: 'packages/colony/src/mission/commit-task.ts', from: 'if (isDone) return undefined', to: '' }],
    suites: [{ package: 'packages/colony', tests: ['test/commit.test.ts'] }],
  },
  {
    area: 'leases',
    files: ['packages/core/src/coordination/lease.ts', 'packages/core/src/coordination/semaphore.ts'],
    suites: [
      { package: 'packages/core', tests: ['test/coordination/lease.test.ts', 'test/coordination/semaphore.test.ts'] },
    ],
  },
  {
    area: 'leases',
    files: ['packages/files/src/file-lock.ts'],
    suites: [{ package: 'packages/files', tests: ['test/file-lock.test.ts'] }],
  },
  {
    area: 'contracts',
    files: [
      'packages/colony-contracts/src/graph',
      'packages/colony-contracts/src/mission',
      'packages/colony-contracts/src/validation',
    ],
    suites: [
      {
        package: 'packages/colony-contracts',
        tests: ['contracts', 'mission', 'mutations', 'plain-json', 'registry', 'task-graph', 'validate-artifact'].map(
          (name) => `test/${name}.test.ts`,
        ),
      },
    ],
  },
  {
    area: 'storage',
    files: ['packages/core/src/storage/memory/changes.ts', 'packages/core/src/storage/memory/engine.ts'],
    suites: [
      { package: 'packages/core', tests: ['test/storage/engine.test.ts'] },
      {
        package: 'packages/storage-testkit',
        tests: ['test/memory.test.ts'],
        named:
          ': storage (transactions|batches|concurrency|references|catalogue|unique|revisions|random callers|random transactions)',
      },
    ],
  },
  {
    area: 'storage',
    files: [
      'packages/storage-sqlite/src/sqlite-group.ts',
      'packages/storage-sqlite/src/transaction.ts',
      'packages/storage-sqlite/src/references.ts',
    ],
    always: [
      {
        file: 'packages/storage-sqlite/src/sqlite-storage.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the source itself.
        from: 'writer.database.pragma(`synchronous = ${this.#synchronous}`)',
        to: '',
      },
    ],
    suites: [
      {
        package: 'packages/storage-sqlite',
        tests: ['group', 'files', 'sqlite', 'durability'].map((name) => `test/${name}.test.ts`),
        named:
          'SQLite file: storage (transactions|batches|concurrency|references|random callers)|flush|create|synchronous|of transactions that share a commit|a transaction by itself|learns of a type|is waited for up to the timeout',
      },
    ],
  },
  {
    area: 'storage',
    files: [
      'packages/storage-fs/src/commit/file-group.ts',
      'packages/storage-fs/src/commit/staged-files.ts',
      'packages/storage-fs/src/commit/prepare-commit.ts',
      'packages/storage-fs/src/journal',
    ],
    always: [
      {
        file: 'packages/storage-fs/src/journal/journal.ts',
        from: 'fdatasyncSync(this.#file)\n    } catch (error)',
        to: '} catch (error)',
      },
    ],
    suites: [
      {
        package: 'packages/storage-fs',
        tests: ['conformance-json', 'durability', 'journal', 'crash-points', 'hand-edits'].map(
          (name) => `test/${name}.test.ts`,
        ),
        named:
          'JSON: storage (transactions|batches|concurrency|references|random callers)|^(?!fs, |upgrades|gives an older|has all or nothing also)',
      },
    ],
  },
]
