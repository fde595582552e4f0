import { hash } from 'node:crypto'

/** A JSON response with its length, without which even the smallest body would be compressed. */
export function jsonResponse(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
  type = 'application/json',
): Response {
  const body = JSON.stringify(value)
  return new Response(body, {
    status,
    headers: { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)), ...headers },
  })
}

/** JSON that a cache may keep for its caller and must revalidate. */
export interface Cacheable {
  readonly body: string
  readonly bytes: number
  readonly etag: string
}

export function cacheable(body: string): Cacheable {
  return { body, bytes: Buffer.byteLength(body), etag: `"${hash('sha1', body, 'base64url')}"` }
}

export function cacheableResponse({ body, bytes, etag }: Cacheable): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(bytes),
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Minions-Tenant',
      ETag: etag,
    },
  })
}
