import type { Minions, MinionsAccess } from '@minions/core'
import { serverError } from './errors.js'
import type { ServerApi } from './server-api.js'

/** An app with the plugin `server()`. */
export type ServedApp = MinionsAccess & Pick<Minions, 'changePages' | 'listChanges'> & { readonly server: ServerApi }

/** Throws `CAPABILITY_MISSING` for an app without the plugin. */
export function requireServed(app: ServedApp): void {
  if (app?.server?.keys !== undefined) return
  throw serverError('CAPABILITY_MISSING', 'The app cannot be served: add server() of @minions/server to its `plugins`.')
}
