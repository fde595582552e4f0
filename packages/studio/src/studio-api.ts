import type { ContributedPage } from './pages/studio-page.js'

/** What the Studio keeps in an app; the app has it as `app.studio`. */
export interface StudioApi {
  /** Pages of other plugins, in start order. */
  readonly pages: readonly ContributedPage[]
}
