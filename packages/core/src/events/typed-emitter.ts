import { EventEmitter } from 'eventemitter3'
import { isThenable } from '../coordination/is-thenable.js'
import { guardMethods } from '../errors/guard.js'
import { takeOptions } from '../errors/take.js'

/** Receives the payload of an event. The return value is ignored, except that a rejection is reported. */
export type Listener<Payload> = (payload: Payload) => unknown

export interface TypedEmitterOptions {
  /** Receives errors that listeners throw or reject with, and the event. Default: logs to the console. */
  readonly onError?: (error: unknown, event: string) => void
}

/** A registered listener: it cannot throw, and knows what it wraps. */
interface SafeListener {
  (payload: unknown): void
  readonly listener: unknown
}

/**
 * An event emitter whose events and payloads are typed by `Events`, a map from event name to payload. A listener that
 * throws affects neither the other listeners nor the emitter.
 */
export class TypedEmitter<Events extends object> {
  readonly #emitter = new EventEmitter<Record<string, (payload: unknown) => void>>()
  readonly #onError: (error: unknown, event: string) => void

  constructor(options: TypedEmitterOptions = {}) {
    this.#onError = takeOptions('The options of an emitter', options).onError ?? writeToConsole
  }

  /** Adds a listener and returns a function that removes it. */
  on<Name extends keyof Events & string>(event: Name, listener: Listener<Events[Name]>): () => void {
    return this.#add('on', event, listener as Listener<unknown>)
  }

  /** Like `on`, for the next event only. */
  once<Name extends keyof Events & string>(event: Name, listener: Listener<Events[Name]>): () => void {
    return this.#add('once', event, listener as Listener<unknown>)
  }

  /** Removes a listener, however it was added for this event. */
  off<Name extends keyof Events & string>(event: Name, listener: Listener<Events[Name]>): void {
    for (const safe of this.#emitter.listeners(event) as SafeListener[]) {
      if (safe.listener === listener) this.#emitter.off(event, safe)
    }
  }

  /** Calls the listeners in the order in which they were added. False when there are none. */
  emit<Name extends keyof Events & string>(event: Name, payload: Events[Name]): boolean {
    return this.#emitter.emit(event, payload)
  }

  listenerCount(event: keyof Events & string): number {
    return typeof event === 'string' ? this.#emitter.listenerCount(event) : 0
  }

  /** Removes all listeners of all events. */
  clear(): void {
    this.#emitter.removeAllListeners()
  }

  #add(method: 'on' | 'once', event: string, listener: Listener<unknown>): () => void {
    const call = (payload: unknown): void => {
      try {
        const returned = listener(payload)
        if (isThenable(returned)) returned.then(undefined, (error: unknown) => this.#report(error, event))
      } catch (error) {
        this.#report(error, event)
      }
    }
    const safe: SafeListener = Object.assign(call, { listener })
    this.#emitter[method](event, safe)
    return () => this.#emitter.off(event, safe)
  }

  #report(error: unknown, event: string): void {
    try {
      this.#onError(error, event)
    } catch (second) {
      writeToConsole(second, event)
    }
  }
}

// Checked before every event, including those without a listener.
guardMethods(TypedEmitter, { except: ['listenerCount'] })

function writeToConsole(error: unknown, event: string): void {
  // biome-ignore lint/suspicious/noConsole: no caller receives the error, and it must not vanish
  console.error(`[minions] A listener of ${event} failed.`, error)
}
