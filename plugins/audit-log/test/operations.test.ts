import { type Operation, operations, runExample, runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { expect, test } from 'vitest'
import { auditLog } from '../src/index.js'

const start = () => createMinions({ storage: 'memory:', plugins: [auditLog()] })
const own = auditLog().contributes.flatMap(([, values]) => values as readonly Operation[])

test('its operations are those of the past', () => {
  expect(auditLog().contributes.map(([point]) => point.name)).toEqual([operations.name])
  expect(own.map(({ name }) => name)).toEqual(['audit.history', 'audit.at'])
})

test.each(own.flatMap((operation) => (operation.examples ?? []).map((example) => ({ operation, example }))))(
  'the example "$example.title" of $operation.name runs',
  async ({ operation, example }) => {
    const app = await start()
    await runExample(app, operation, example)
    await app.close()
  },
)

test('operations answer as the log does', async () => {
  const app = await start()
  const { id } = await app.create('note', { title: 'Draft', fields: { content: 'One' } }, { by: 'ada' })
  await app.update(id, { title: 'Final' }, { by: 'bob' })
  await app.hardDelete(id)
  const history = await app.auditLog.history(id)
  expect(await runOperation(app, 'audit.history', { id })).toEqual(history)
  expect(history.map(({ by }) => by)).toEqual(['ada', 'bob', undefined])
  expect(await runOperation(app, 'audit.history', { id: 'unknown' })).toEqual([])
  for (const [input, code] of [
    [{ id, time: '1999-12-31' }, 'NOT_FOUND'],
    [{ id, time: '2099-12-31' }, 'NOT_FOUND'],
    [{ id: 'unknown', time: '2099-12-31' }, 'NOT_FOUND'],
    [{ id, time: 'soon' }, 'VALIDATION_FAILED'],
    [{ id }, 'VALIDATION_FAILED'],
    [{ minion: id }, 'VALIDATION_FAILED'],
  ] as const) {
    await expect(runOperation(app, 'audit.at', input)).rejects.toMatchObject({ code })
  }
  await app.close()
})
