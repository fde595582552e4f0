import { isMinionsError } from '@minions/core'
import { serverError } from '../errors.js'
import type { ServedApp } from '../served-app.js'
import { jsonResponse } from './answer.js'
import type { Router } from './environment.js'

/** Milliseconds for which an answer of the store is cached, since anyone may ask. */
const ANSWER_COUNTS = 1000

/**
 * `GET /api/health` says that the process is alive, `GET /api/ready` that it accepts requests: it is not stopping, and
 * the store answers. Both are open to everyone and reveal nothing else.
 */
export function healthRoutes(router: Router, app: ServedApp, isStopping: () => boolean): void {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined
  const storeAnswers = () => {
    const at = performance.now()
    if (asked === undefined || at - asked.at > ANSWER_COUNTS) asked = { at, answer: answers(app) }
    return asked.answer
  }
  const headers = { 'Cache-Control': 'no-store' }
  router.get('/api/health', () => jsonResponse({ status: 'ok' }, 200, headers))
  router.get('/api/ready', async () => {
    if (isStopping()) throw serverError('STOPPING', 'The server is about to stop.')
    if (!(await storeAnswers())) throw serverError('STOPPING', 'The store does not answer.')
    return jsonResponse({ status: 'ready' }, 200, headers)
  })
}

async function answers({ server }: ServedApp): Promise<boolean> {
  try {
    await server.keys.list({ limit: 1 })
    return true
  } catch (error) {
    if (!isMinionsError(error)) throw error
    server.logger.warn('The store does not answer.', { error })
    return false
  }
}
