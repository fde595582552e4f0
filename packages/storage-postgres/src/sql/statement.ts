/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Prepared once for each connection. Only for statements whose best plan does not depend on their values; all others
   * are planned each time, for their values.
   */
  readonly prepared?: true
}

type ScalarType = 'text' | 'float8' | 'numeric' | 'boolean' | 'jsonb' | 'int'

type ParameterType = ScalarType | `${ScalarType}[]` | 'tsquery'

/** Collects the values of a statement while it is built. */
export class Parameters {
  readonly values: unknown[] = []

  /** The placeholder of a value. Every value is a parameter, never part of the text. */
  bind(value: unknown, type: ParameterType): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
