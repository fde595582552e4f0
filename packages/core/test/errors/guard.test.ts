import { describe, expect, it } from 'vitest'
import { isMinionsError, MinionsError, quote } from '../../src/index.js'
import {
  callingBack,
  guarded,
  guardMethods,
  requireFunction,
  takeFunction,
  takeList,
  takeOptions,
} from '../../src/plugin/index.js'

const fail = () => {
  throw new Error('of a getter')
}
const throwing = new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail })
const { proxy: revoked, revoke } = Proxy.revocable([], {})
revoke()

describe('quote', () => {
  it('names every value in at most a hundred characters', () => {
    expect(quote('a "b"')).toBe('"a \\"b\\""')
    expect(quote('x'.repeat(50_000_000))).toBe(`"${'x'.repeat(100)}…"`)
    expect([5, true, undefined, null].map(quote)).toEqual(['5', 'true', 'undefined', 'null'])
    expect([Symbol('a'), 5n, fail].map(quote)).toEqual(['a symbol', 'a bigint', 'a function'])
    expect([[1], {}, Object.create(null), throwing, revoked].map(quote)).toEqual([
      'a list',
      'an object',
      'an object',
      'an object',
      'an object',
    ])
  })
})

describe('guarded', () => {
  const length = guarded('length', (value: { text: string }) => value.text.trim().length)

  it('returns what the function returns, on its `this`', async () => {
    expect(length({ text: ' a ' })).toBe(1)
    expect(length).toHaveLength(1)
    expect(await guarded('later', async (value: number) => value + 1)(1)).toBe(2)
  })

  it('turns raw errors into errors of ours, with the cause', async () => {
    for (const value of [
      undefined,
      {},
      { text: Symbol('a') },
      throwing,
      {
        get text() {
          return fail()
        },
      },
    ]) {
      expect(() => length(value as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
    const later = guarded('later', async (value: { a: string }) => value.a.length, { code: 'INVALID_QUERY' })
    await expect(later(null as never)).rejects.toMatchObject({ code: 'INVALID_QUERY', cause: expect.any(TypeError) })
  })

  it('lets other errors through as long as the arguments can be read', async () => {
    const each = guarded('each', (list: readonly number[], { onItem }: { onItem: () => void }) => list.map(onItem))
    expect(() => each([1], { onItem: fail })).toThrow('of a getter')
    expect(() => each([1], throwing as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    const later = guarded('later', async (work: () => void) => work())
    await expect(later(fail)).rejects.toThrow('of a getter')
  })

  it('reads the options behind a large argument, such as a client', () => {
    const client = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`method${index}`, () => index]))
    const serve = guarded('serve', (_client: object, { by }: { by: string }) => by)
    expect(() => serve(client, throwing as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    expect(() =>
      serve(client, {
        get by() {
          return fail()
        },
      }),
    ).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('tells an iterator of an argument that throws from a function that does', () => {
    const sum = guarded('sum', (list: Iterable<number>, _options?: object) => [...list].length, { callsBack: true })
    const list = Object.assign([1], { [Symbol.iterator]: fail })
    for (const value of [list, { [Symbol.iterator]: fail }]) {
      expect(() => sum(value as never, { onItem: () => undefined })).toThrow(
        expect.objectContaining({ code: 'VALIDATION_FAILED' }),
      )
    }
  })

  it('lets errors of functions that it calls and of the operating system through', () => {
    const call = guarded('call', (work: () => void, _options?: object) => work(), { callsBack: true })
    expect(() => call(fail)).toThrow('of a getter')
    expect(() => call(fail, throwing)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    const system = Object.assign(new Error('missing'), { syscall: 'open', code: 'ENOENT' })
    const read = guarded('read', () => {
      throw system
    })
    expect(read).toThrow(system)
  })

  it('refuses texts and lists that are too long, also inside arguments, before they are walked', async () => {
    const walk = guarded('walk', (given: { list?: unknown[]; text?: string }) => [...(given.list ?? [])].length)
    for (const given of [{ list: new Array(2 ** 32 - 1) }, { text: 'x'.repeat(50_000_000) }]) {
      expect(() => walk(given)).toThrow(/^walk cannot work with these arguments: argument 1 holds a (list|string) of /)
    }
    expect(walk({ list: new Array(1000) })).toBe(1000)
    const deep = guarded('deep', (given: readonly { a: { b: unknown[] } }[]) => given.map(({ a }) => [...a.b]).length, {
      checksInside: true,
    })
    expect(() => deep([{ a: { b: new Array(2 ** 32 - 1) } }])).toThrow(/^deep cannot work with these arguments/)
    const hooked = guarded('hooked', async (given: { list: unknown[] }) => [...given.list], { callsBack: 'hooks' })
    await expect(hooked({ list: new Array(2 ** 32 - 1) })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('tells a toJSON that throws from a function that does', () => {
    const write = guarded('write', (value: unknown) => JSON.stringify(value))
    expect(() => write({ a: { toJSON: fail } })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('refuses to guard, or to call, what cannot be called', () => {
    const { proxy, revoke: end } = Proxy.revocable(() => undefined, {})
    end()
    for (const wrong of [undefined, 5, {}, proxy]) {
      for (const take of [
        () => requireFunction('It', wrong),
        () => callingBack(wrong as never),
        () => guarded('it', wrong as never),
        () => takeFunction('It', (wrong ?? null) as never),
      ]) {
        expect(take).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
      }
    }
    expect(() => guarded('it', () => undefined, throwing)).toThrow(/^guarded cannot work with these arguments/)
    expect(() => guardMethods(revoked as never)).toThrow(/^guardMethods cannot work with these arguments/)
    expect(() => takeList(Symbol('a') as never, 5 as never)).toThrow(/^takeList cannot work with these arguments/)
  })

  it('an error does not fail with its own options', () => {
    const error = new MinionsError(
      'A',
      'It failed.',
      Object.defineProperty({}, 'cause', { get: fail, enumerable: true }),
    )
    expect(error).toMatchObject({ message: 'It failed.', details: {}, cause: new Error('of a getter') })
    expect(Object.hasOwn(new MinionsError('A', 'It failed.'), 'cause')).toBe(false)
  })

  it('guards the methods of a class', () => {
    class Counter {
      #count = 0
      static of(value: { count: number }): Counter {
        return new Counter().add(value)
      }
      add(value: { count: number }): this {
        this.#count += value.count
        return this
      }
      get count(): number {
        return this.#count
      }
    }
    guardMethods(Counter)
    expect(Counter.of({ count: 2 }).add({ count: 3 }).count).toBe(5)
    expect(() => Counter.of(null as never)).toThrow(/^Counter\.add cannot work with these arguments/)
  })
})

describe('takeOptions and takeList', () => {
  it('read once what can be read, and refuse the rest', () => {
    let reads = 0
    const options = {
      get by() {
        return ++reads
      },
    }
    const taken = takeOptions('The options', options)
    expect([taken.by, taken.by, reads]).toEqual([1, 1, 1])
    expect(takeOptions('The options', undefined)).toEqual({})
    for (const wrong of ['x', 5, Symbol('a'), [], new Float64Array(8), throwing, revoked]) {
      expect(() => takeOptions('The options', wrong as never)).toThrow(/^The options (must be|cannot be read)/)
    }
    expect(takeList('The list', new Array(1))).toEqual([undefined])
    for (const wrong of ['x', {}, { length: 1 }, null, throwing, revoked, new Array(2 ** 32 - 1)]) {
      expect(() => takeList('The list', wrong as never)).toThrow(/^The list (must be|cannot be read)/)
    }
  })

  it('isMinionsError is false for what cannot be read', () => {
    expect(isMinionsError(throwing)).toBe(false)
    expect(isMinionsError(revoked)).toBe(false)
  })
})
