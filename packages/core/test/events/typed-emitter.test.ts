import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { TypedEmitter } from '../../src/index.js'

interface Events {
  'minion.created': { id: string }
  'minion.deleted': { id: string; by?: string }
}

describe('TypedEmitter', () => {
  it('calls listeners in order with the payload, until they are removed', () => {
    const emitter = new TypedEmitter<Events>()
    const seen: string[] = []
    const first = emitter.on('minion.created', ({ id }) => seen.push(`first ${id}`))
    const second = ({ id }: { id: string }) => seen.push(`second ${id}`)
    emitter.on('minion.created', second)
    expect(emitter.emit('minion.created', { id: 'a' })).toBe(true)
    first()
    first()
    emitter.emit('minion.created', { id: 'b' })
    emitter.off('minion.created', second)
    expect(emitter.emit('minion.created', { id: 'c' })).toBe(false)
    expect(seen).toEqual(['first a', 'second a', 'second b'])
  })

  it('calls a listener of once one time, and its removal works too', () => {
    const emitter = new TypedEmitter<Events>()
    const listener = vi.fn()
    emitter.once('minion.created', listener)
    emitter.once('minion.created', listener)()
    emitter.emit('minion.created', { id: 'a' })
    emitter.emit('minion.created', { id: 'b' })
    expect(listener.mock.calls).toEqual([[{ id: 'a' }]])
  })

  it('removes by listener wherever it was added, and by subscription only that one', () => {
    const emitter = new TypedEmitter<Events>()
    const listener = vi.fn()
    const unsubscribe = emitter.on('minion.created', listener)
    emitter.on('minion.created', listener)
    expect(emitter.listenerCount('minion.created')).toBe(2)
    unsubscribe()
    expect(emitter.listenerCount('minion.created')).toBe(1)
    emitter.once('minion.created', listener)
    emitter.off('minion.created', listener)
    expect(emitter.listenerCount('minion.created')).toBe(0)
    emitter.on('minion.deleted', listener)
    emitter.clear()
    expect(emitter.emit('minion.deleted', { id: 'a' })).toBe(false)
  })

  it('protects the other listeners and the caller from one that throws or rejects', async () => {
    const errors: unknown[] = []
    const emitter = new TypedEmitter<Events>({ onError: (error, event) => errors.push([event, error]) })
    const last = vi.fn()
    emitter.on('minion.created', () => {
      throw 'thrown'
    })
    emitter.once('minion.created', async () => {
      throw 'rejected'
    })
    emitter.on('minion.created', last)
    expect(emitter.emit('minion.created', { id: 'a' })).toBe(true)
    expect(last).toHaveBeenCalledOnce()
    await Promise.resolve()
    expect(errors).toEqual([
      ['minion.created', 'thrown'],
      ['minion.created', 'rejected'],
    ])
  })

  it('writes to the console what nobody asked for, also when the handler fails itself', () => {
    const written = vi.spyOn(console, 'error').mockReturnValue()
    const fail = () => {
      throw 'oh'
    }
    for (const options of [{}, { onError: fail }]) {
      const emitter = new TypedEmitter<Events>(options)
      emitter.on('minion.created', fail)
      emitter.emit('minion.created', { id: 'a' })
    }
    expect(written.mock.calls).toEqual([
      ['[minions] A listener of minion.created failed.', 'oh'],
      ['[minions] A listener of minion.created failed.', 'oh'],
    ])
    written.mockRestore()
  })

  it('survives listeners that change the list while it is being called', () => {
    const emitter = new TypedEmitter<Events>()
    const seen: string[] = []
    const remove = emitter.on('minion.created', () => {
      seen.push('a')
      remove()
      emitter.on('minion.created', () => seen.push('c'))
    })
    emitter.on('minion.created', () => seen.push('b'))
    emitter.emit('minion.created', { id: 'x' })
    emitter.emit('minion.created', { id: 'x' })
    expect(seen.slice(0, 2)).toEqual(['a', 'b'])
    expect(seen.filter((each) => each === 'a')).toHaveLength(1)
  })

  it('takes any text for an event name', () => {
    const emitter = new TypedEmitter<Record<string, number>>()
    const seen: number[] = []
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      expect(emitter.emit(name, 0)).toBe(false)
      emitter.on(name, (payload) => seen.push(payload))
      emitter.emit(name, 1)
    }
    expect(seen).toEqual([1, 1, 1, 1])
  })

  it('is typed', () => {
    const emitter = new TypedEmitter<Events>()
    emitter.on('minion.deleted', (payload) => expectTypeOf(payload).toEqualTypeOf<{ id: string; by?: string }>())
    expectTypeOf(emitter.emit<'minion.created'>)
      .parameter(1)
      .toEqualTypeOf<{ id: string }>()
    // @ts-expect-error no such event
    emitter.on('minion.craeted', () => undefined)
    // @ts-expect-error the payload needs an id
    emitter.emit('minion.created', {})
  })
})
