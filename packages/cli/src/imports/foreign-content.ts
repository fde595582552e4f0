/** A record of another program, and the file or location it comes from. */
export interface ForeignRecord {
  readonly where: string
  readonly record: Readonly<Record<string, unknown>>
}

/** A record that cannot be imported, and why. Not an `Issue`: `where` is a location of the other program. */
export interface ForeignProblem {
  readonly where: string
  readonly message: string
}

export interface ForeignContent {
  readonly types: ForeignRecord[]
  readonly minions: ForeignRecord[]
  readonly relations: ForeignRecord[]
  readonly problems: ForeignProblem[]
}

export function emptyContent(): ForeignContent {
  return { types: [], minions: [], relations: [], problems: [] }
}

/** Removes null members, which those programs write for absent values. */
export function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined))
}
