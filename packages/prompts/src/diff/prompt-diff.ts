import { jsonEqual } from '@minions/core/json'
import { guardMethods, takeList, takeOptions } from '@minions/core/plugin'
import type { AddedField, ChangedField, DiffResult, RemovedField } from './diff-result.js'
import { formatDiff } from './format-diff.js'
import { diffLines } from './line-diff.js'
import { diffWords, type WordChange } from './word-diff.js'

/** The parts of a minion that a diff reads; any fields are accepted. */
export interface Diffable {
  readonly title?: string | undefined
  readonly fields: object
}

/** Compares versions of prompts field by field, and their content line by line and word by word. */
export class PromptDiff {
  /** What changed from `v1` to `v2`: the title and every field. Ids and timestamps are ignored. */
  diff(v1: Diffable, v2: Diffable): DiffResult {
    const added: AddedField[] = []
    const removed: RemovedField[] = []
    const changed: ChangedField[] = []
    const compare = (before: Values, after: Values): void => {
      for (const [field, from] of before) {
        const to = after.get(field)
        if (to === undefined) removed.push({ field, value: from })
        else if (!jsonEqual(from, to)) changed.push({ field, from, to })
      }
      for (const [field, value] of after) if (!before.has(field)) added.push({ field, value })
    }
    const before = present(v1.fields)
    const after = present(v2.fields)
    compare(present({ title: v1.title }), present({ title: v2.title }))
    compare(before, after)
    return { added, removed, changed, contentDiff: contentDiff(before.get('content'), after.get('content')) }
  }

  /** The words that differ within the changed lines of `contentDiff`. */
  words(result: DiffResult): WordChange[] {
    return diffWords({ ...result, contentDiff: takeList('The lines of a diff', result.contentDiff) })
  }

  /** The diff as text; with `colored`, with terminal colours. An empty diff gives `''`. */
  format(result: DiffResult, colored = false): string {
    return formatDiff(result, colored)
  }
}

guardMethods(PromptDiff)

type Values = ReadonlyMap<string, unknown>

/** The own properties that are not `undefined`, which counts as absent. */
function present(record: object): Values {
  return new Map(
    Object.entries(takeOptions('The fields of a version', record)).filter(([, value]) => value !== undefined),
  )
}

function contentDiff(from: unknown, to: unknown): DiffResult['contentDiff'] {
  const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'
  return isText(from) && isText(to) ? diffLines(from, to) : []
}
