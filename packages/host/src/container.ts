// The only file that knows tsyringe, which wants `reflect-metadata` to be there first.
import 'reflect-metadata'
import { type DependencyContainer, container as globalContainer } from 'tsyringe'

// A child container sees what others registered globally; one made by the class itself has no parent.
const FreshContainer = globalContainer.constructor as new () => DependencyContainer

/** Holds what stands behind the tokens of one app, by their names. */
export class Container {
  readonly #inner = new FreshContainer()

  has(name: string): boolean {
    return this.#inner.isRegistered(name)
  }

  get(name: string): unknown {
    return this.#inner.resolve<{ readonly value: unknown }>(name).value
  }

  /** Later values take the place of earlier ones. The box is there because tsyringe refuses `undefined` and `null`. */
  set(name: string, value: unknown): void {
    this.#inner.register(name, { useValue: { value } })
  }
}
