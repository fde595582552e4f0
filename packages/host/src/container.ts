// The only file that knows tsyringe, which needs `reflect-metadata` to be loaded first.
import 'reflect-metadata'
import { type DependencyContainer, container as globalContainer } from 'tsyringe'

// A child of the global container sees its registrations; one created by the class itself has no parent.
const FreshContainer = globalContainer.constructor as new () => DependencyContainer

/** tsyringe refuses `undefined` and `null` as instances, so every value is boxed. */
interface Box {
  readonly value: unknown
}

/** Holds the instances of one app, or of one transaction, and creates them on first use. */
export class Container {
  readonly #inner: DependencyContainer

  constructor(inner: DependencyContainer = new FreshContainer()) {
    this.#inner = inner
  }

  /** A container that inherits from this one; its own registrations are not visible here. */
  createChild(): Container {
    return new Container(this.#inner.createChildContainer())
  }

  has(name: string): boolean {
    return this.#inner.isRegistered(name, true)
  }

  /** Registers a factory that runs once: tsyringe itself would run it for each resolution. */
  register(name: string, create: () => unknown): void {
    let box: Box | undefined
    this.#inner.register<Box>(name, {
      useFactory: () => {
        box ??= { value: create() }
        return box
      },
    })
  }

  resolve(name: string): unknown {
    return this.#inner.resolve<Box>(name).value
  }

  /** Everything registered under a name, in registration order. */
  resolveAll(name: string): unknown[] {
    return this.has(name) ? this.#inner.resolveAll<Box>(name).map(({ value }) => value) : []
  }
}
