import { describe, expect, it } from 'vitest'
import { type Middleware, runThrough } from '../../src/client/middleware.js'

const minion = {
  id: 'a',
  title: 'A',
  minionTypeId: 'builtin-note',
  fields: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

const run = (middleware: Middleware[], result: unknown = minion) =>
  runThrough(middleware, { name: 'get', args: ['a'] }, async () => result)

describe('middleware', () => {
  it('sees the operation, its arguments and its result, in onion order', async () => {
    const seen: unknown[] = []
    const layer =
      (name: string): Middleware =>
      async (operation, next) => {
        seen.push([name, operation.name, operation.args])
        const result = await next()
        seen.push([name, result])
        return result
      }
    await run([layer('outer'), layer('inner')])
    expect(seen).toEqual([
      ['outer', 'get', ['a']],
      ['inner', 'get', ['a']],
      ['inner', minion],
      ['outer', minion],
    ])
  })

  it('passes replaced arguments on to the layers below', async () => {
    const args: unknown[] = []
    const result = await runThrough(
      [(_, next) => next(['b']), (operation, next) => next([...operation.args, 'c'])],
      { name: 'get', args: ['a'] },
      async (given) => {
        args.push(given)
        return minion
      },
    )
    expect(args).toEqual([['b', 'c']])
    expect(result).toBe(minion)
  })

  it('may answer without asking, synchronously or not', async () => {
    expect(await run([() => undefined])).toBeUndefined()
    expect(await run([() => ({ ...minion, title: 'other' })])).toMatchObject({ title: 'other' })
  })

  it('may not make up something that is no minion', async () => {
    for (const created of [null, 5, {}, { ...minion, id: '../x' }, { ...minion, fields: undefined }]) {
      await expect(run([() => created])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  describe('that gives no result where there must be one', () => {
    const create = (middleware: Middleware[], result: () => Promise<unknown> = async () => minion) =>
      runThrough(middleware, { name: 'create', args: [] }, result)
    const passing: Middleware = (_, next) => next()

    it('is named by its function, or by its position, and told what to do', async () => {
      const forgetful: Middleware = () => undefined
      await expect(create([passing, forgetful])).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: expect.stringMatching(/"forgetful" \(middleware\[1\]\).*"create".*never called `next`.*return/s),
        details: { operation: 'create', middleware: 'forgetful', index: 1 },
      })
      await expect(create([() => undefined, passing])).rejects.toMatchObject({
        message: expect.stringMatching(/^middleware\[0\] /i),
        details: { operation: 'create', index: 0 },
      })
    })

    it('is told from one that does not return what `next` gives it', async () => {
      const dropping: Middleware = async (_, next) => {
        await next()
      }
      await expect(create([dropping])).rejects.toMatchObject({
        message: expect.stringMatching(/"dropping".*did not return/s),
      })
    })

    it('does not hide that the operation failed', async () => {
      const unawaited: Middleware = (_, next) => {
        next()
      }
      const failing = () => Promise.reject(new Error('failed'))
      await expect(create([unawaited], failing)).rejects.toThrow('failed')
    })
  })

  it('turns an error of any layer, thrown or rejected, into a rejection', async () => {
    const thrown: Middleware = () => {
      throw new Error('thrown')
    }
    await expect(run([thrown])).rejects.toThrow('thrown')
    await expect(run([async (_, next) => next(), thrown])).rejects.toThrow('thrown')
    const swallowing: Middleware = async (_, next) => next().catch(() => minion)
    await expect(run([swallowing, thrown])).resolves.toBe(minion)
  })
})
