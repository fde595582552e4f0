import { setOwn } from '@minions/core/json'

export interface Candidate {
  readonly record: unknown
  /** True if the caller changed it since this manager read or wrote it. */
  readonly changed: boolean
}

export interface MergeInput {
  readonly file: Readonly<Record<string, unknown>>
  readonly wanted: ReadonlyMap<string, Candidate>
  /** The ids this manager has read or written before. */
  readonly known: ReadonlySet<string>
  /** True if a record of the file differs from the one this manager last read or wrote. */
  readonly foreign: (id: string) => boolean
}

export interface MergeResult {
  readonly records: Record<string, unknown>
  /** Workspaces changed both here and by another process; ours won. */
  readonly overwritten: string[]
}

/**
 * Merges the saved workspaces with those saved by others. Workspaces the caller has not changed stay as in the file;
 * dropped ones are removed; those this manager never saw stay.
 */
export function merge({ file, wanted, known, foreign }: MergeInput): MergeResult {
  const records: Record<string, unknown> = {}
  const overwritten: string[] = []
  for (const id of Object.keys(file)) {
    const candidate = wanted.get(id)
    if (candidate?.changed) {
      if (known.has(id) && foreign(id)) overwritten.push(id)
      setOwn(records, id, candidate.record)
    } else if (candidate || !known.has(id)) {
      setOwn(records, id, file[id])
    }
  }
  for (const [id, candidate] of wanted) {
    // An unchanged one that is no longer in the file was removed by another process.
    if (!Object.hasOwn(file, id) && candidate.changed) setOwn(records, id, candidate.record)
  }
  return { records, overwritten }
}
