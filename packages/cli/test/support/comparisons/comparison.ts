import type { Sample } from '../sample-store.js'

/** A command line behind the words of a command, and the call of an operation that must give what it prints. */
export interface Comparison {
  readonly args: readonly string[]
  readonly operation: string
  readonly input: object
  /** Options for both, such as `--tenant`. */
  readonly caller?: readonly string[]
  /** Files that the command reads. */
  readonly files?: Readonly<Record<string, string>>
  /** What of the result is printed; all of it by default. */
  // biome-ignore lint/suspicious/noExplicitAny: any operation may be compared
  readonly part?: (result: any) => unknown
}

/** For each command, by its words: how it is compared with its operations. */
export type Comparisons = Readonly<Record<string, (sample: Sample) => readonly Comparison[]>>

export function same(
  args: readonly string[],
  operation: string,
  input: object,
  more: Pick<Comparison, 'caller' | 'files' | 'part'> = {},
): Comparison {
  return { args, operation, input, ...more }
}

/** A command prints the items of a page. */
export const items = { part: (page: { items: unknown }) => page.items }

export const by = { caller: ['--by', 'ada'] }
