import { defineErrors } from '@minions/core'

/** Every code that the Studio answers with, with what it means. */
export const STUDIO_ERROR_CODES = {
  NOT_FOUND: 'The Studio has no such file.',
  PAGE_MISSING: 'The page of the Studio was not built.',
}

/** Creates a `MinionsError` with one of this package's codes. */
export const studioError = defineErrors(STUDIO_ERROR_CODES)
