import { builtin, node } from '../node-builtins.js'

/** Features of Node that not every browser has. */
interface NodeGlobals {
  setImmediate?(callback: () => void): unknown
  clearImmediate?(handle: unknown): void
}

const { setImmediate, clearImmediate } = globalThis as NodeGlobals

const hooks = builtin('node:async_hooks')

/** Calls back when all promises that can settle now have settled, before anything else happens. */
export const afterMicrotasks: (callback: () => void) => void =
  node?.nextTick?.bind(node) ?? ((callback) => setTimeout(callback))

/** A turn of the event loop, in which timers, files and sockets are served. */
export interface Turn {
  readonly passed: Promise<true>
  cancel(): void
}

export function nextTurn(): Turn {
  let handle: unknown
  const passed = new Promise<true>((resolve) => {
    const pass = () => resolve(true)
    handle = setImmediate ? setImmediate(pass) : setTimeout(pass)
  })
  const cancel = () => (clearImmediate ? clearImmediate(handle) : clearTimeout(handle as number))
  return { passed, cancel }
}

/** A function that sees the caller's current `AsyncLocalStorage`s, whenever and wherever it is called. */
export function inContext<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  if (!hooks) return work
  const resource = new hooks.AsyncResource('minions.transaction')
  return (...args) => resource.runInAsyncScope(work, undefined, ...args)
}
