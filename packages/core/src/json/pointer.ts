/** Appends one segment to a JSON Pointer (RFC 6901). */
export function pointerTo(parent: string, segment: string | number): string {
  return `${parent}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
