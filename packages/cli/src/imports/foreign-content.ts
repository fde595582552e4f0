/** A record of another program, and the file or place it comes from. */
export interface ForeignRecord {
  readonly where: string
  readonly record: Readonly<Record<string, unknown>>
}

/** A record that cannot be taken, and why. */
export interface ForeignProblem {
  readonly where: string
  readonly message: string
}

/** Everything that another program left. */
export interface ForeignContent {
  readonly types: ForeignRecord[]
  readonly minions: ForeignRecord[]
  readonly relations: ForeignRecord[]
  readonly problems: ForeignProblem[]
}

export function emptyContent(): ForeignContent {
  return { types: [], minions: [], relations: [], problems: [] }
}

/** Without the members that are null, which is how those programs write what is absent. */
export function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined))
}
