/** A question that a server asks while one of its tools runs. */
export interface ServerQuestion {
  /** Name of the server in `servers`. */
  readonly server: string
  /** The server's own words, to be shown as such. */
  readonly message: string
  /** JSON Schema of the answer: an object of strings, numbers, booleans and choices, which may have defaults. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Aborted when the server no longer wants an answer. */
  readonly signal: AbortSignal
}

/** The answer to it; absent properties get their defaults. */
export type ServerAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' }
