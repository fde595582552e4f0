import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { defineRoutes } from '@minions/server/plugin'
import { studioError } from '../errors.js'
import type { ContributedPage } from '../pages/studio-page.js'
import { STUDIO_PATH } from '../path.js'
import { studioRef } from '../ref.js'
import { contentSecurityPolicy } from './policy.js'
import { webFiles } from './web-files.js'

const SCRIPT = 'text/javascript; charset=utf-8'

/** Files of the page, which everyone may have; what the page shows needs a key. */
export const studioRoutes = defineRoutes({
  path: STUDIO_PATH,
  access: 'public',
  deps: { studio: studioRef },
  async handle(request, { studio }) {
    const path = decoded(new URL(request.url).pathname).slice(STUDIO_PATH.length + 1)
    if (path.startsWith('modules/')) return moduleResponse(path.slice('modules/'.length), studio.pages)
    const { document, files } = await webFiles()
    const file = files.get(path)
    if (file) {
      // The name of a file changes with its content.
      return respond(file.body, file.type, { 'Cache-Control': 'public, max-age=31536000, immutable' })
    }
    if (path.startsWith('assets/')) throw notFound(path)
    // Any other path is a place in the page, which finds it by itself.
    const nonce = randomBytes(16).toString('base64')
    return respond(document.replaceAll('NONCE', nonce), 'text/html; charset=utf-8', {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(nonce),
    })
  },
})

/** Throws `NOT_FOUND` for what no path can be decoded from. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    throw notFound(path)
  }
}

async function moduleResponse(name: string, pages: readonly ContributedPage[]): Promise<Response> {
  const page = pages.find(({ value }) => `${value.id}.js` === name)?.value
  if (page === undefined || !('module' in page)) throw notFound(name)
  return respond(await readFile(page.module), SCRIPT, { 'Cache-Control': 'no-cache' })
}

function respond(body: string | Uint8Array<ArrayBuffer>, type: string, headers: Record<string, string>): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...headers } })
}

function notFound(path: string): Error {
  return studioError('NOT_FOUND', `The Studio has no file "${path.slice(0, 100)}"; load the page again.`)
}
