import { type Cacheable, cacheable, cacheableResponse } from '../http/answer.js'
import type { Router } from '../http/environment.js'
import type { ServedApp } from '../served-app.js'
import { openApiDocument } from './document.js'

/** `GET /api/openapi.json`: a description of the server, for client generators. */
export function openApiRoute(router: Router, app: ServedApp): void {
  let document: Cacheable | undefined
  router.get('/api/openapi.json', () => {
    document ??= cacheable(JSON.stringify(openApiDocument(app)))
    return cacheableResponse(document)
  })
}
