/** True for `undefined`, `null` and `''`, which count as absent in a field or an attribute. */
export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}
