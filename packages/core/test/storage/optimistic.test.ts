import { expect, test } from 'vitest'
import { coreError } from '../../src/index.js'
import { retryConflicts, unlessConflict } from '../../src/storage/index.js'

const conflict = () => Promise.reject(coreError('CONFLICT', 'Another writer was first.'))
const other = () => Promise.reject(coreError('CLOSED', 'The store is closed.'))

test('conflicts of a write are retried, as often as requested', async () => {
  const attempts: number[] = []
  const third = retryConflicts((write, attempt) => {
    attempts.push(attempt)
    return write(attempt < 3 ? conflict() : Promise.resolve('written'))
  })
  expect(await third).toBe('written')
  expect(attempts).toEqual([1, 2, 3])
  for (const [most, expected] of [
    [undefined, 10],
    [2, 2],
    [0, 1],
  ]) {
    let count = 0
    const always = retryConflicts((write) => {
      count++
      return write(conflict())
    }, most)
    await expect(always).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(count).toBe(expected)
  }
})

test('other errors, and conflicts that no write caused, are not retried', async () => {
  const raw = new TypeError('raw')
  const ways = [other, conflict, () => Promise.reject(raw), () => Promise.reject(undefined)]
  for (const fail of ways) {
    let count = 0
    const thrown = await fail().catch((error: unknown) => error)
    const work = retryConflicts(async (write) => {
      count++
      await write(Promise.resolve())
      throw thrown
    })
    expect(await work.catch((error: unknown) => error)).toBe(thrown)
    expect(count).toBe(1)
  }
})

test('a write that another one preceded resolves to undefined, and other errors are passed on', async () => {
  expect(await unlessConflict(Promise.resolve('revision'))).toBe('revision')
  expect(await unlessConflict(conflict())).toBeUndefined()
  await expect(unlessConflict(other())).rejects.toMatchObject({ code: 'CLOSED' })
  const raw = new TypeError('raw')
  await expect(unlessConflict(Promise.reject(raw))).rejects.toBe(raw)
})
