import type { Operation } from './operation.js'

/** Another way to run an operation: the same result, as a `ParsedJson` where its text is at hand. */
interface TextRun {
  run(input: unknown, deps: Readonly<Record<string, unknown>>): unknown
}

/** By the function that it stands for: an operation that is copied and runs something else does not have it. */
const textRuns = new WeakMap<Operation['run'], TextRun>()

/** Adds to an operation what `runOperation` calls instead of `run`; any other caller of `run` gets the plain value. */
export function withTextRun<O extends Pick<Operation, 'run'>>(operation: O, textRun: TextRun): O {
  textRuns.set(operation.run, textRun)
  return operation
}

export function textRunOf({ run }: Pick<Operation, 'run'>): TextRun | undefined {
  return textRuns.get(run)
}
