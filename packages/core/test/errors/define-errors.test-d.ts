import { expectTypeOf, it } from 'vitest'
import { defineErrors, type MinionsError } from '../../src/index.js'

const shopError = defineErrors({ SOLD_OUT: 'Nothing is left.', CLOSED: 'The shop is closed.' })

it('knows the codes of the table where errors are created', () => {
  expectTypeOf(shopError('SOLD_OUT', 'x')).toEqualTypeOf<MinionsError<'SOLD_OUT' | 'CLOSED'>>()
  // @ts-expect-error: no code of the table
  shopError('SOLD', 'x')
})

it('knows them where errors are caught, too', () => {
  const caught: unknown = undefined
  if (shopError.is(caught, 'CLOSED')) expectTypeOf(caught.code).toEqualTypeOf<'CLOSED'>()
  if (shopError.is(caught)) expectTypeOf(caught.code).toEqualTypeOf<'SOLD_OUT' | 'CLOSED'>()
  // @ts-expect-error: nothing throws this
  shopError.is(caught, 'SOLD')
})
