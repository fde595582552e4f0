import { useCan } from '../../data/operations.ts'
import { useCall } from '../../data/use-call.ts'

/** Something that is likely to go wrong with a prompt. */
export interface LintFinding {
  readonly rule: string
  readonly message: string
  readonly minionId: string
  /** The variable it is about. */
  readonly variable?: string
}

const NONE: readonly LintFinding[] = []

/** What is likely to go wrong with a text once it is saved; a text that is half written keeps the findings before it. */
export function useLint(prompt: string, draft: string, isComplete: boolean): readonly LintFinding[] {
  const can = useCan()
  const { data } = useCall<readonly LintFinding[]>(
    'prompts.lint',
    { prompt, draft },
    { enabled: isComplete && can('prompts.lint'), keepPrevious: true },
  )
  return data ?? NONE
}
