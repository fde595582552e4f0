import { guarded } from '../errors/guard.js'
/** Appends one segment to a JSON Pointer (RFC 6901). */
export const pointerTo = guarded('pointerTo', (parent: string, segment: string | number): string => {
  const text = String(segment)
  return `${parent}/${/[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text}`
})

/** The unescaped segments of a JSON Pointer. */
export const pointerSegments = guarded('pointerSegments', (pointer: string): string[] => {
  const segments = pointer.split('/')
  segments.shift()
  if (!pointer.includes('~')) return segments
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
})
