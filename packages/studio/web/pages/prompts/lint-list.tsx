import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'

interface LintProblem {
  readonly rule: string
  readonly message: string
  readonly minionId: string
}

/** What is likely to go wrong with a prompt as it is stored. */
export function LintList({ prompt }: { readonly prompt: string }) {
  const { data: problems = [] } = useCall<readonly LintProblem[]>('prompts.lint', { prompt })
  return (
    <Card title="Advice">
      {problems.length === 0 && <p className="faint">Nothing to say against it.</p>}
      <ul className="findings">
        {problems.map(({ rule, message, minionId }) => (
          <li key={`${rule} ${minionId} ${message}`}>{message}</li>
        ))}
      </ul>
    </Card>
  )
}
