import { builtin } from '../node-builtins.js'

/** The work of one transaction, including everything it calls, awaits or starts. */
interface Scope {
  readonly store: object
  /** The enclosing work, of another store's transaction. */
  readonly outer: Scope | undefined
  open: boolean
}

const hooks = builtin('node:async_hooks')
const scopes = hooks && new hooks.AsyncLocalStorage<Scope>()

let running = 0

/** Runs the work of a store's transaction; `isInside` is true for it until it has ended. */
export async function runInside<T>(store: object, work: () => Promise<T>): Promise<T> {
  if (scopes === undefined) return work()
  const scope: Scope = { store, outer: openScope(), open: true }
  running += 1
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.open = false
    running -= 1
    // Until Node 24 every promise of the process is slower while it is in use.
    if (running === 0) scopes.disable()
  }
}

/** Runs a function that is called inside the work of a transaction but is not part of it, such as a listener. */
export function runOutside(callback: () => void): void {
  if (openScope() === undefined) callback()
  else scopes?.run(undefined, callback)
}

/** True if the caller runs inside the work of a transaction of the store. Without `AsyncLocalStorage`, always false. */
export function isInside(store: object): boolean {
  for (let scope = openScope(); scope !== undefined; scope = scope.outer) {
    if (scope.open && scope.store === store) return true
  }
  return false
}

/** Work that outlives its transaction is no longer inside it, and must not keep it in memory either. */
function openScope(): Scope | undefined {
  let scope = scopes?.getStore()
  while (scope !== undefined && !scope.open) scope = scope.outer
  return scope
}
