import { expect } from 'vitest'
import type { Mcp } from '../../src/index.ts'

/** Waits until an app has the tools of some servers: a busy machine may take longer than an app waits for when it opens. */
export async function untilConnected({ mcp }: { readonly mcp: Mcp }, servers: readonly string[]): Promise<void> {
  const missing = () => servers.filter((name) => Object.keys(mcp.tools()[name] ?? {}).length === 0)
  await expect.poll(missing).toEqual([])
}
