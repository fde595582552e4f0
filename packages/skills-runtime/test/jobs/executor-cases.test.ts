import { describe, it } from 'vitest'
import { inProcessExecutor } from '../../src/jobs/index.js'
import { executorCases } from '../../src/testing/index.js'
import { onSqlite } from '../support/clusters.js'

describe('the executor within a process', () => {
  for (const { name, run } of executorCases) {
    it(name, () =>
      run(async () => {
        const executor = await inProcessExecutor()
        return { join: () => executor }
      }),
    )
  }
})

describe('workers on a SQLite file', () => {
  for (const { name, run } of executorCases) it(name, () => run(() => onSqlite()))
})
