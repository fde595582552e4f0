import { setOwn } from '@minions/core/json'

/** The members of a record unknown to this version, which are preserved. */
export function unknownMembers(record: object, known: object): Record<string, unknown> {
  const extras: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(record)) {
    if (!Object.hasOwn(known, key)) setOwn(extras, key, value)
  }
  return extras
}

/** Restores the members set aside by `unknownMembers`. */
export function withMembers<T extends object>(record: T, extras: Readonly<Record<string, unknown>>): T {
  for (const key of Object.keys(extras)) setOwn(record as Record<string, unknown>, key, extras[key])
  return record
}
