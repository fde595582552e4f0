// @ts-check
import { types } from 'node:util'
import { hostileForms, hostileValues, throwingGetter } from './values.mjs'

/** @typedef {readonly (string | number)[]} Position path into the arguments; the first part is the argument */
/** @typedef {{ position: Position, value: string, isHuge?: boolean, apply: (args: unknown[]) => unknown[] }} Mutation */

/** Deeper parts of arguments are records, which are validated as a whole. */
const DEEPEST = 3
/** As many properties of one object are replaced, one at a time. */
const MOST_PROPERTIES = 30

/**
 * Every place in the arguments that can hold something hostile: each argument, also those that are left out, and each
 * property and first element of what they hold.
 *
 * @param {readonly unknown[]} args
 * @param {number} least as many arguments the function has at least
 * @returns {Position[]}
 */
export function positionsIn(args, least) {
  /** @type {Position[]} */
  const positions = []
  for (let index = 0; index < Math.max(args.length, least); index++) {
    positions.push([index])
    positions.push(...inside(args[index], [index]))
  }
  return positions
}

/** @param {unknown} value @param {Position} path @returns {Position[]} */
function inside(value, path) {
  if (!isPlain(value) || path.length > DEEPEST) return []
  const keys = Array.isArray(value) ? (value.length > 0 ? [0] : []) : Object.keys(value).slice(0, MOST_PROPERTIES)
  return keys.flatMap((key) => {
    const position = [...path, key]
    return [position, ...inside(value[/** @type {never} */ (key)], position)]
  })
}

/** Longer lists are hostile, and copying one would take all the memory there is. */
const LONGEST_COPY = 10_000

/** What can be copied with one property replaced. @param {unknown} value @returns {value is object} */
function isPlain(value) {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false
  if (Array.isArray(value) && value.length > LONGEST_COPY) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

/**
 * Everything hostile that can stand at a position.
 *
 * @param {readonly unknown[]} args
 * @param {Position} position
 * @returns {Mutation[]}
 */
export function mutationsAt(args, position) {
  const valid = position.reduce((/** @type {any} */ value, key) => value?.[key], args)
  const mutations = [...hostileValues, ...hostileForms(valid)].map((hostile) => ({
    position,
    value: hostile.name,
    isHuge: hostile.isHuge,
    apply: (/** @type {unknown[]} */ given) => changed(given, position, holding(hostile.make())),
  }))
  if (position.length > 1) {
    mutations.push({
      position,
      value: 'a getter that throws',
      isHuge: false,
      apply: (given) => changed(given, position, throwingGetter),
    })
  }
  return mutations
}

/**
 * Arguments with something else at a position. What another change has put on the way there may not let itself be copied.
 *
 * @param {unknown[]} args
 * @param {Position} position
 * @param {PropertyDescriptor} property
 */
function changed(args, position, property) {
  try {
    return withValue(args, position, property)
  } catch {
    return args
  }
}

/**
 * A copy with something else at a position. Only the objects on the way there are copied.
 *
 * @template T
 * @param {T} target
 * @param {Position} position
 * @param {PropertyDescriptor} property
 * @returns {T}
 */
function withValue(target, [key, ...rest], property) {
  // What another change has put there is left as it is.
  if (!isPlain(target)) return target
  const copy = /** @type {any} */ (Array.isArray(target) ? [...target] : { ...target })
  const name = /** @type {string} */ (key)
  if (rest.length > 0) copy[name] = withValue(copy[name], rest, property)
  else Object.defineProperty(copy, name, property)
  return copy
}

/** @param {unknown} value @returns {PropertyDescriptor} */
const holding = (value) => ({ value, writable: true, enumerable: true, configurable: true })

/** A position as a report names it: `argument 2, .where.title`. @param {Position} position */
export function showPosition([index, ...path]) {
  const inner = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return `argument ${Number(index) + 1}${inner === '' ? '' : `, ${inner}`}`
}
