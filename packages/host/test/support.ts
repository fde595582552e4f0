import { definePlugin, type Plugin, type PluginDefinition } from '@minions/core'
import { expect } from 'vitest'

/** A plugin with nothing in it but what a test is about. */
export function plugin(name: string, parts: Partial<PluginDefinition<string, unknown>> = {}): Plugin<string, unknown> {
  return definePlugin({ name, namespace: name.replace(/\W/g, ''), version: '1.0.0', setup: () => ({}), ...parts })
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
