import { getOrInsert, getOwn, setOwn } from '@minions/core/json'
import { expect, it } from 'vitest'

it('one key of a large object is read and set without listing the others', () => {
  let listed = 0
  const record = new Proxy<Record<string, number>>(
    { a: 1 },
    {
      ownKeys: (target) => {
        listed++
        return Reflect.ownKeys(target)
      },
    },
  )
  expect(getOwn(record, 'a')).toBe(1)
  setOwn(record, 'b', 2)
  expect(getOwn(record, 'b')).toBe(2)
  expect(getOrInsert(new Map<object, number>(), record, () => 3)).toBe(3)
  expect(listed).toBe(0)
})
