import { mustBeOneOf } from './assertions.js'
import type { Issue } from './issue.js'
import type { Rule, Run } from './run.js'

/** Keywords that a value of another kind breaks. */
const TELLING: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'false'])

/**
 * Reports that a value matches no alternative. Where one alternative is clearly meant (the others are of another type,
 * or have another constant in a property) its issues are reported; where all are types or constants, the allowed values
 * are listed.
 */
export function failChoice(run: Run, keyword: string, rules: readonly Rule[], value: unknown): false {
  if (run.issues === undefined) return false
  const here = run.pointer()
  const lists = rules.map((rule) => run.issuesOf(rule, value))
  const ofKind = lists.filter((list) => !list.some(({ pointer, code }) => pointer === here && TELLING.has(code)))
  const meant = ofKind.length > 1 ? ofKind.filter((list) => !list.some((issue) => isOfOther(issue, here))) : ofKind
  if (meant.length === 1) {
    for (const issue of meant.flat()) run.add(issue)
    return false
  }
  const own = lists.map((list) => (list.length === 1 && list[0]?.pointer === here ? list[0] : undefined))
  if (own.every((issue) => issue?.code === 'const' || issue?.code === 'enum')) {
    const choices = own.flatMap((issue) => (issue?.code === 'enum' ? (issue.expected as unknown[]) : [issue?.expected]))
    return run.fail('enum', mustBeOneOf(choices), choices, value)
  }
  if (own.every((issue) => issue?.code === 'type')) {
    const words = own.map((issue) => issue?.message.replace('must be ', '')).join(' or ')
    return run.fail(
      'type',
      `must be ${words}`,
      own.flatMap((issue) => issue?.expected),
      value,
    )
  }
  return run.fail(keyword, `must match one of ${rules.length} alternatives`, rules.length, value)
}

/** True for a constant in a property that another alternative also has: it distinguishes them. */
function isOfOther({ pointer, code }: Issue, here: string): boolean {
  return (code === 'const' || code === 'enum') && pointer.lastIndexOf('/') === here.length
}
