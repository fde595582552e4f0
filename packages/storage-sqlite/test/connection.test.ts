import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connection } from '../src/connection.js'

let connection: Connection
beforeEach(async () => {
  connection = await Connection.open(':memory:')
})
afterEach(() => connection.close())

describe('prepared statements', () => {
  it('stay prepared while they are among the last 150 used', () => {
    const prepare = vi.spyOn(connection.database, 'prepare')
    const often = 'SELECT -1'
    for (let number = 0; number < 2000; number++) {
      expect(connection.statement(`SELECT ${number}`).get()).toBe(number)
      if (number % 100 === 0) expect(connection.statement(often).get()).toBe(-1)
    }
    expect(prepare.mock.calls.filter(([sql]) => sql === often)).toHaveLength(1)
    for (let number = 1851; number < 2000; number++) connection.statement(`SELECT ${number}`)
    expect(prepare).toHaveBeenCalledTimes(2001)
  })

  it('are prepared again when they were not used for long', () => {
    const prepare = vi.spyOn(connection.database, 'prepare')
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 301; number++) expect(connection.first(`SELECT 0, ${number}`)).toEqual([0, number])
    }
    expect(prepare.mock.calls.length).toBeGreaterThan(301)
  })
})
