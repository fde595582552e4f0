import { Card } from '../../parts/card.tsx'
import type { LintFinding } from './use-lint.ts'

/** What is likely to go wrong with a prompt as it is written. */
export function LintList({ findings }: { readonly findings: readonly LintFinding[] }) {
  return (
    <Card title="Lint">
      {findings.length === 0 && <p className="faint">No problems found.</p>}
      <ul className="findings" aria-label="Findings">
        {findings.map(({ rule, message, minionId }) => (
          <li key={`${rule} ${minionId} ${message}`}>
            {message} <code className="faint">{rule}</code>
          </li>
        ))}
      </ul>
    </Card>
  )
}
