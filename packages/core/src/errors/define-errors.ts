import { isMinionsError, MinionsError, type MinionsErrorOptions } from './minions-error.js'

/** Creates the errors of one table of codes, and recognises them. */
export interface ErrorFactory<Code extends string> {
  (code: Code, message: string, options?: MinionsErrorOptions): MinionsError<Code>
  /** Whether what was caught has one of these codes; without any, one of the table. A code of no table does not compile. */
  is<Caught extends Code>(error: unknown, ...codes: readonly Caught[]): error is MinionsError<Caught>
}

/** Makes the factory for the errors of a package. The table says what each of its codes means. */
export function defineErrors<Table extends Readonly<Record<string, string>>>(
  table: Table,
): ErrorFactory<keyof Table & string> {
  type Code = keyof Table & string
  const create = (code: Code, message: string, options?: MinionsErrorOptions) =>
    new MinionsError(code, message, options)
  const is = <Caught extends Code>(error: unknown, ...codes: readonly Caught[]): error is MinionsError<Caught> => {
    if (!isMinionsError(error)) return false
    return codes.length === 0 ? Object.hasOwn(table, error.code) : (codes as readonly string[]).includes(error.code)
  }
  return Object.assign(create, { is })
}
