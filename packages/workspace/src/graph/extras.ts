import { setOwn } from '@minions/core/json'

/** The members of a record that this version does not know; they survive being read and written. */
export function unknownMembers(record: Readonly<Record<string, unknown>>, known: object): Record<string, unknown> {
  const extras: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    if (!Object.hasOwn(known, key)) setOwn(extras, key, record[key])
  }
  return extras
}

/** Adds the members set aside by `unknownMembers` to a record again. */
export function withMembers<T extends object>(record: T, extras: Readonly<Record<string, unknown>>): T {
  for (const key of Object.keys(extras)) setOwn(record as Record<string, unknown>, key, extras[key])
  return record
}
