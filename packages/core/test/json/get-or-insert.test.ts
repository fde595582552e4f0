import { getOrInsert } from '@minions/core/json'
import { describe, expect, it } from 'vitest'

describe('getOrInsert', () => {
  it('creates a value once for each key', () => {
    const lists = new Map<string, number[]>()
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ] as const)
      getOrInsert(lists, key, () => []).push(value)
    expect([...lists]).toEqual([
      ['a', [1, 3]],
      ['b', [2]],
    ])
  })

  it('keeps values that are falsy, and gives the key to the function', () => {
    const lengths = new Map<string, number>()
    let calls = 0
    const count = (text: string) => {
      calls++
      return text.length
    }
    expect([getOrInsert(lengths, '', count), getOrInsert(lengths, '', count), calls]).toEqual([0, 0, 1])
  })

  it('keeps nothing if the function throws', () => {
    const values = new WeakMap<object, string>()
    const key = {}
    const fail = () => {
      throw new Error('not yet')
    }
    expect(() => getOrInsert(values, key, fail)).toThrow('not yet')
    expect(getOrInsert(values, key, () => 'made')).toBe('made')
  })

  it.each([
    ['a function as the map', [() => 1, 'a', () => 1]],
    ['no map', [undefined, 'a', () => 1]],
    ['no function', [new Map(), 'a', 'b']],
  ])('refuses %s', (_, args) => {
    expect(() => Reflect.apply(getOrInsert, undefined, args)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })
})
