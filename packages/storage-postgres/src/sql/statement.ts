/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Prepared once for each connection. Only for statements whose best plan does not depend on their values; all others
   * are planned anew each time, for the values they have.
   */
  readonly prepared?: true
}

type ScalarType = 'text' | 'float8' | 'numeric' | 'boolean' | 'jsonb' | 'int'

type ParameterType = ScalarType | `${ScalarType}[]` | 'tsquery'

/** Collects the values of a statement while it is written. */
export class Parameters {
  readonly values: unknown[] = []

  /** The placeholder of a value. Every value is a parameter; none becomes part of the text. */
  bind(value: unknown, type: ParameterType): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
