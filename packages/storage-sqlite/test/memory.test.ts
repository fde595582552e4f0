import { Minions } from '@minions/core'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../src/index.js'

test.each([true, false])('a read in memory waits while a transaction writes, which commits: %s', async (commits) => {
  const app = await Minions.open({ storage: sqliteStorage({ path: ':memory:' }) })
  onTestFinished(() => app.close())
  const { id } = await app.create('note', { title: 'before', fields: { content: 'x' } })
  const titleOf = async () => (await app.get(id))?.title
  expect(await titleOf()).toBe('before')
  let finish = () => {}
  let hasWritten = () => {}
  const written = new Promise<void>((resolve) => {
    hasWritten = resolve
  })
  const writing = app.transaction(async (tx) => {
    await tx.update(id, { title: 'after' })
    hasWritten()
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    if (!commits) throw new Error('given up')
  })
  await written
  const reads = [titleOf(), titleOf()]
  finish()
  await writing.catch(() => {})
  const expected = commits ? 'after' : 'before'
  expect(await Promise.all([...reads, titleOf()])).toEqual([expected, expected, expected])
})
