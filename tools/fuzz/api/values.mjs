// @ts-check
/** @typedef {{ name: string, isHuge: boolean, make: () => unknown }} HostileValue */

/** Thrown by what is hostile itself. Where it comes out, a value of the caller's was touched without care. */
class HostileError extends Error {
  constructor() {
    super('of a hostile value')
  }
}

/** What the promise of a caller rejects with, which comes out of whatever returns or awaits that promise. */
class RejectedError extends Error {
  constructor() {
    super('of a promise that rejects')
  }
}

/** Whether an error is what a hostile promise rejects with. @param {unknown} error */
export function isOfPromise(error) {
  return error instanceof RejectedError
}

/** @returns {never} */
function fail() {
  throw new HostileError()
}

const throwingTraps = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect)
    .filter((name) => name !== Symbol.toStringTag.toString())
    .map((name) => [name, fail]),
)

/** @param {object} target */
function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Names that options and records have, so that whatever is read of the object throws. */
const NAMES = ['id', 'by', 'type', 'name', 'title', 'fields', 'content', 'where', 'limit', 'tenantId', 'mission_id']

const DEPTH = 100_000

/** @param {(inner: unknown) => unknown} wrap */
function deep(wrap) {
  /** @type {unknown} */
  let value = 'bottom'
  for (let level = 0; level < DEPTH; level++) value = wrap(value)
  return value
}

/** A value that is made when it is first needed and shared from then on. @param {() => unknown} make */
function once(make) {
  /** @type {{ value: unknown } | undefined} */
  let made
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

class Instance {
  #hidden = 1
  shown = 2
  get hidden() {
    return this.#hidden
  }
}

/** @type {Record<string, () => unknown>} */
const makers = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  'a negative number': () => -1,
  'a fraction': () => 0.5,
  'a number beyond 2^53': () => 2 ** 60,
  'a BigInt': () => 5n,
  'a symbol': () => Symbol('hostile'),
  'an empty text': () => '',
  'a text with U+0000': () => 'a\0b',
  'a lone surrogate': () => '\ud800',
  'the text __proto__': () => '__proto__',
  'a text of 50 MB': once(() => 'x'.repeat(50_000_000)),
  '50 MB of words': once(() => 'word {{x}} / '.repeat(4_000_000)),
  'a boxed text': () => Object('text'),
  'a function': () => () => undefined,
  'an async function': () => async () => undefined,
  'a function that cannot be shown': () =>
    Object.assign(() => undefined, { toString: fail, [Symbol.toPrimitive]: fail }),
  'a revoked function': () => revoked(() => undefined),
  'a revoked proxy': () => revoked({}),
  'a revoked list': () => revoked([]),
  'a throwing proxy': () => new Proxy({}, throwingTraps),
  'a throwing proxy of a list': () => new Proxy(['a'], throwingTraps),
  'an object with throwing getters': () =>
    Object.defineProperties(
      {},
      Object.fromEntries(NAMES.map((name) => [name, { get: fail, enumerable: true, configurable: true }])),
    ),
  'an empty object': () => ({}),
  'an object without a prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'an object with __proto__ of its own': () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  'a toString that throws': () => ({ toString: fail, [Symbol.toPrimitive]: fail }),
  'a valueOf that throws': () => ({ valueOf: fail }),
  'a toJSON that throws': () => ({ toJSON: fail }),
  'a cyclic object': () => {
    /** @type {Record<string, unknown>} */
    const value = { a: 1 }
    value.self = value
    return value
  },
  'a cyclic list': () => {
    /** @type {unknown[]} */
    const value = [1]
    value.push(value)
    return value
  },
  'an object 100,000 levels deep': once(() => deep((inner) => ({ a: inner }))),
  'a list 100,000 levels deep': once(() => deep((inner) => [inner])),
  'an empty list': () => [],
  'a list with a hole': () => new Array(1),
  'a list of holes and values': () => Object.assign(new Array(4), { 1: 'a', 3: { id: 'b' } }),
  'a list of 2^32 - 1 holes': () => new Array(2 ** 32 - 1),
  'a list with a throwing getter': () => Object.defineProperty(['a', 'b'], 0, { get: fail, enumerable: true }),
  'a list with a throwing iterator': () => Object.assign(['a'], { [Symbol.iterator]: fail }),
  'a list of symbols': () => [Symbol('in a list')],
  'something like a list of 2^32 - 1': () => ({ length: 2 ** 32 - 1, 0: 'a' }),
  'typed numbers': () => new Float64Array(3),
  'a Buffer': () => Buffer.from('text'),
  'a Date': () => new Date(0),
  'an invalid Date': () => new Date(Number.NaN),
  'a Map': () => new Map([['a', 1]]),
  'a Set': () => new Set(['a']),
  'a RegExp': () => /(a+)+$/,
  'an Error': () => new Error('a value'),
  'an instance of a class': () => new Instance(),
  'a URL': () => new URL('file:///nowhere/at/all'),
  'a promise that rejects': () => {
    const promise = Promise.reject(new RejectedError())
    promise.catch(() => undefined)
    return promise
  },
  'a thenable that throws': () => Object.defineProperty({}, 'then', { get: fail, enumerable: true }),
  // biome-ignore lint/suspicious/noThenProperty: a thenable is the point.
  'a thenable whose then throws': () => ({ then: fail }),
  // biome-ignore lint/suspicious/noThenProperty: a thenable is the point.
  'a thenable that never settles': () => ({ then() {} }),
  'an iterable that never ends': () => ({
    *[Symbol.iterator]() {
      for (;;) yield 'x'
    },
  }),
  'an async iterable that never ends': () => ({
    async *[Symbol.asyncIterator]() {
      for (;;) yield 'x'
    },
  }),
  'an iterable that throws': () => ({ [Symbol.iterator]: fail, [Symbol.asyncIterator]: fail }),
}

/** Where one of these blocks the process, the others would too. */
const huge = new Set([
  'a text of 50 MB',
  '50 MB of words',
  'a list of 2^32 - 1 holes',
  'something like a list of 2^32 - 1',
  'an iterable that never ends',
  'an async iterable that never ends',
])

/** Every hostile value, in a fixed order. @type {readonly HostileValue[]} */
export const hostileValues = Object.entries(makers).map(([name, make]) => ({ name, isHuge: huge.has(name), make }))

/**
 * Hostile forms of a valid value: it works until something is read of it for the nth time, or it has holes.
 *
 * @param {unknown} valid
 * @returns {HostileValue[]}
 */
export function hostileForms(valid) {
  if (typeof valid !== 'object' || valid === null) return []
  return [1, 3, 8].map((reads) => ({
    name: `a proxy of it that throws when it is read for the ${reads}. time`,
    isHuge: false,
    make: () => throwingFrom(valid, reads),
  }))
}

/** @param {object} target @param {number} reads */
function throwingFrom(target, reads) {
  let count = 0
  /** @type {ProxyHandler<object>} */
  const handler = {}
  for (const trap of /** @type {const} */ (['get', 'ownKeys', 'getOwnPropertyDescriptor', 'has', 'getPrototypeOf'])) {
    handler[trap] = (/** @type {unknown[]} */ ...args) => {
      if (++count >= reads) fail()
      return /** @type {Function} */ (Reflect[trap])(...args)
    }
  }
  return new Proxy(target, handler)
}

/** An accessor that throws, for the place of a property. @type {PropertyDescriptor} */
export const throwingGetter = { get: fail, enumerable: true, configurable: true }
