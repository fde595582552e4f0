import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { ListPage } from './features.js'
import type { McpCall } from './mcp-call.js'
import { refused } from './refused.js'

/** One page of what several sources list, one source after the other. The cursor says which one is next, and where. */
export async function joinedPage<Item>(
  sources: readonly { list(call: McpCall, cursor: string | undefined): Promise<ListPage<Item>> }[],
  cursor: string | undefined,
  call: McpCall,
): Promise<{ readonly items: Item[]; readonly nextCursor?: string }> {
  const start = parseCursor(cursor, sources.length)
  const items: Item[] = []
  for (const [index, source] of sources.entries()) {
    if (index < start.index) continue
    const page = await refused(() => source.list(call, index === start.index ? start.inner : undefined))
    items.push(...page.items)
    if (page.nextCursor !== undefined) return { items, nextCursor: formatCursor(index, page.nextCursor) }
  }
  return { items }
}

function formatCursor(index: number, inner: string): string {
  return Buffer.from(JSON.stringify([index, inner])).toString('base64url')
}

function parseCursor(cursor: string | undefined, sources: number): { readonly index: number; readonly inner?: string } {
  if (cursor === undefined) return { index: 0 }
  try {
    const [index, inner] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (
      typeof index === 'number' &&
      Number.isInteger(index) &&
      index >= 0 &&
      index < sources &&
      typeof inner === 'string'
    ) {
      return { index, inner }
    }
  } catch {
    // Not one of ours, as below.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one that this server gave.')
}
