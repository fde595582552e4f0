import type { Backend } from './locations.js'

/** Set before suites are imported that are to run on these backends and nowhere else. */
export const chosen: { backends?: readonly Backend[] } = {}
