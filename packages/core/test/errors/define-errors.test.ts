import { describe, expect, it } from 'vitest'
import { defineErrors, isMinionsError, messageOf } from '../../src/index.js'

const shopError = defineErrors({ SOLD_OUT: 'Nothing is left.', CLOSED: 'The shop is closed.' })

describe('defineErrors', () => {
  it('creates errors with a code, details and a cause', () => {
    const cause = new Error('why')
    const error = shopError('SOLD_OUT', 'No apples are left.', { details: { fruit: 'apple' }, cause })
    expect(isMinionsError(error)).toBe(true)
    expect(error).toMatchObject({
      code: 'SOLD_OUT',
      message: 'No apples are left.',
      details: { fruit: 'apple' },
      cause,
    })
  })

  it('recognises one of several codes, or any of the table', () => {
    const error = shopError('CLOSED', 'Come back tomorrow.')
    expect(shopError.is(error, 'CLOSED')).toBe(true)
    expect(shopError.is(error, 'SOLD_OUT', 'CLOSED')).toBe(true)
    expect(shopError.is(error, 'SOLD_OUT')).toBe(false)
    expect(shopError.is(error)).toBe(true)
    const other = defineErrors({ toString: 'A name like any other.', LOST: 'Gone.' })
    expect(shopError.is(other('LOST', 'x'))).toBe(false)
    expect(shopError.is(other('toString', 'x'))).toBe(false)
    expect(shopError.is({ code: 'CLOSED' }, 'CLOSED')).toBe(false)
    expect(shopError.is(undefined)).toBe(false)
  })
})

describe('messageOf', () => {
  it.each([
    [new Error('no'), 'no'],
    [new TypeError(''), 'TypeError'],
    ['text', 'text'],
    [{ message: 'like an error' }, 'like an error'],
    [{ code: 7 }, '{"code":7} was thrown'],
    [null, 'null was thrown'],
    [undefined, 'undefined was thrown'],
    [Symbol('s'), 'Symbol(s) was thrown'],
    ['', 'an empty string was thrown'],
    [new Error('a\0b\uD800'), 'a\uFFFDb\uFFFD'],
    [Object.create(null), '{} was thrown'],
  ])('says what %o says', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message)
  })

  it('cuts a long text, and no character in two', () => {
    expect(messageOf(new Error('abcdef'), 4)).toBe('abc…')
    expect(messageOf('a😀bc', 3)).toBe('a\uFFFD…')
    expect(messageOf('abc', 3)).toBe('abc')
  })

  it('never throws', () => {
    const hostile = {
      get message() {
        throw new Error('never')
      },
    }
    expect(messageOf(hostile)).toBe('something was thrown that cannot be shown')
  })
})
