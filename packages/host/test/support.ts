import { type Dependencies, definePlugin, type Plugin, pluginRef } from '@minions/core/plugin'
import { expect } from 'vitest'

/** Reference of a plugin of a test; its namespace is its name without signs. */
export const ref = (name: string, namespace = name.replace(/\W/g, '')) => pluginRef<unknown>()(name, namespace)

interface Parts extends Partial<Omit<Plugin, 'ref' | 'setup' | 'deps' | 'join'>> {
  readonly namespace?: string
  readonly deps?: Dependencies
  readonly setup?: (deps: never) => unknown
}

/** A plugin with nothing in it but what a test is about. */
export function plugin(name: string, { namespace, setup = () => ({}), ...parts }: Parts = {}): Plugin {
  const definition = { ref: ref(name, namespace), version: '1.0.0', setup, ...parts }
  return definePlugin(definition as never)
}

/** The error of a promise that must reject; its message must name all of `named`. */
export async function rejection(promise: Promise<unknown>, code: string, ...named: string[]) {
  const error = await promise.then(
    () => expect.fail(`should have been refused with ${code}`),
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ name: 'MinionsError', code })
  for (const name of named) expect((error as Error).message).toContain(name)
  return error as Error & { code: string; details: Record<string, unknown>; cause?: unknown }
}
