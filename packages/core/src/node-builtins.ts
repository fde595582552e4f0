/** The parts of Node in use, looked up at run time because core also runs in browsers. */
interface NodeModules {
  'node:async_hooks': {
    readonly AsyncLocalStorage: new <T>() => AsyncStorage<T>
    readonly AsyncResource: new (
      type: string,
    ) => { runInAsyncScope<A extends unknown[], R>(work: (...args: A) => R, thisArg: undefined, ...args: A): R }
  }
  'node:crypto': { hash(algorithm: 'sha256', text: string): string }
  'node:fs': { readFileSync(path: string, encoding: 'utf8'): string; readlinkSync(path: string): string }
  'node:os': { hostname(): string }
}

interface AsyncStorage<T> {
  run<R>(value: T | undefined, work: () => R): R
  getStore(): T | undefined
  disable(): void
}

interface NodeProcess {
  readonly pid: number
  getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name]
  kill(pid: number, signal: 0): void
  nextTick?(callback: () => void): void
}

export const node = (globalThis as { readonly process?: NodeProcess }).process

export function builtin<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  return node?.getBuiltinModule?.(name)
}
