import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOperation } from '@minions/core/operations'
import { expect, it, onTestFinished } from 'vitest'
import { createMinions } from '../src/index.js'

it('a type that another process registered or evolved is found by its operations', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'minions-types-'))
  const open = () => createMinions({ storage: `sqlite:${join(folder, 'shared.db')}`, plugins: [] })
  const [here, there] = [await open(), await open()]
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()])
    rmSync(folder, { recursive: true })
  })
  const schema = [{ name: 'author', type: 'string' }]
  await runOperation(there, 'types.create', { slug: 'book', name: 'Book', schema })
  expect(await runOperation(here, 'types.get', { type: 'book' })).toMatchObject({ name: 'Book' })
  await runOperation(there, 'types.evolve', { type: 'book', schema: [...schema, { name: 'year', type: 'number' }] })
  expect(await runOperation(here, 'types.list', {})).toContainEqual(
    expect.objectContaining({ slug: 'book', schema: expect.arrayContaining([{ name: 'year', type: 'number' }]) }),
  )
})
