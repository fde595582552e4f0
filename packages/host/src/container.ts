// The only file that knows tsyringe, which needs `reflect-metadata` to be loaded first.
import 'reflect-metadata'
import { type DependencyContainer, container as globalContainer } from 'tsyringe'

// A child of the global container sees what others registered there; one created by the class itself has no parent.
const FreshContainer = globalContainer.constructor as new () => DependencyContainer

/** tsyringe refuses `undefined` and `null` as instances, so everything it holds is in a box. */
interface Box {
  readonly value: unknown
}

/** Holds what stands behind the names of one app, or of one transaction, and creates it when it is first needed. */
export class Container {
  readonly #inner: DependencyContainer

  constructor(inner: DependencyContainer = new FreshContainer()) {
    this.#inner = inner
  }

  /** A container that sees everything of this one, and whose own registrations this one does not see. */
  createChild(): Container {
    return new Container(this.#inner.createChildContainer())
  }

  has(name: string): boolean {
    return this.#inner.isRegistered(name, true)
  }

  /** Registers a factory, which runs once: tsyringe itself would run it for each resolution. */
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

  /** Everything that was registered under a name, in the order of registration. */
  resolveAll(name: string): unknown[] {
    return this.has(name) ? this.#inner.resolveAll<Box>(name).map(({ value }) => value) : []
  }
}
