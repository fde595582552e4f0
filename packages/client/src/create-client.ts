import { Calls } from './calls.js'
import { MinionsError } from './errors.js'
import { followEvents } from './events.js'
import { takeOptions } from './take.js'
import { type ClientOptions, Transport } from './transport.js'
import type { CallOptions, Client, EventOptions } from './types.js'

/**
 * Creates the client of a server. With the type of the served app, `createClient<typeof app>(…)`, it has the app's
 * operations by name, with their types: `client.prompts.render({ prompt: 'Greeting' })`.
 */
export function createClient<App = unknown>(options: ClientOptions): Client<App> {
  const transport = new Transport(options)
  const { tenant } = transport
  const calls = new Calls(transport, tenant)
  const own = {
    call: calls.call.bind(calls),
    run: (id: string) => calls.run(id),
    events: (asked: EventOptions = {}) => followEvents(transport, tenant, takeOptions('The options of events', asked)),
  }
  const root = new Proxy(own, {
    get: (target, part) =>
      isName(part) && !Object.hasOwn(target, part) ? namespace(calls, [part]) : Reflect.get(target, part),
  })
  // Only the caller knows the types of the app; the proxy accepts any name.
  return root as Client<App>
}

type Args = [input?: object, options?: CallOptions]

/** Operations whose names begin with these parts; calling it runs the operation of that name. */
function namespace(calls: Calls, parts: readonly string[]): unknown {
  const name = parts.join('.')
  const verbs: Readonly<Record<string, (...args: Args) => unknown>> = {
    start: (...args) => calls.start(name, ...args),
    pages: (...args) => calls.pages(name, ...args),
    iterate: (...args) => calls.iterate(name, ...args),
  }
  return new Proxy(() => undefined, {
    get(_target, part) {
      if (!isName(part)) return undefined
      // `missions.start` is an operation, `missions.run.start` starts one.
      if (parts.length > 1 && Object.hasOwn(verbs, part)) return verbs[part]
      return namespace(calls, [...parts, part])
    },
    apply(_target, _this, args: Args) {
      if (parts.length > 1) return calls.call(name, ...args)
      throw new MinionsError('NOT_FOUND', `"${name}" is not an operation; name an area and a verb: client.objects.get`)
    },
  })
}

/** A namespace with `then` would be taken for a promise. */
function isName(part: string | symbol): part is string {
  return typeof part === 'string' && part !== 'then'
}
