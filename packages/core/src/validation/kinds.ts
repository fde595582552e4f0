import { isRecord } from '../json/is-record.js'

/** Kinds of values that keywords apply to; anything outside JSON is of another kind. */
export type Kind = 'string' | 'number' | 'array' | 'object'

/** Types of JSON Schema: the test of a value, the same test as code, and its description. */
export const TYPES: Readonly<
  Record<
    string,
    { readonly test: (value: unknown) => boolean; readonly code: (v: string) => string; readonly words: string }
  >
> = {
  string: { test: (value) => typeof value === 'string', code: (v) => `typeof ${v} === 'string'`, words: 'a string' },
  number: {
    test: Number.isFinite,
    code: (v) => `typeof ${v} === 'number' && ${v} - ${v} === 0`,
    words: 'a finite number',
  },
  integer: { test: Number.isInteger, code: (v) => `Number.isInteger(${v})`, words: 'an integer' },
  boolean: {
    test: (value) => typeof value === 'boolean',
    code: (v) => `typeof ${v} === 'boolean'`,
    words: 'true or false',
  },
  null: { test: (value) => value === null, code: (v) => `${v} === null`, words: 'null' },
  array: { test: Array.isArray, code: (v) => `Array.isArray(${v})`, words: 'a list' },
  object: {
    test: isRecord,
    code: (v) => `typeof ${v} === 'object' && ${v} !== null && !Array.isArray(${v})`,
    words: 'an object',
  },
}
