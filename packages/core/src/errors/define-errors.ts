import { isMinionsError, MinionsError, type MinionsErrorOptions } from './minions-error.js'

/** Creates and recognises the errors of one table of codes. */
export interface ErrorFactory<Code extends string> {
  (code: Code, message: string, options?: MinionsErrorOptions): MinionsError<Code>
  /** True for one of these codes, or any of the table if none is given. Other codes do not compile. */
  is<Caught extends Code>(error: unknown, ...codes: readonly Caught[]): error is MinionsError<Caught>
}

/** Creates the error factory of a package. The table gives the meaning of each of its codes. */
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
