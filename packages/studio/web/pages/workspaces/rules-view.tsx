import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'

interface Explanation {
  readonly rule_id: string
  readonly rule_name: string
  readonly inherited_from: string | null
  readonly enabled: boolean
  readonly matched: boolean
  readonly reason: string
}

/** The rules of a workspace, and why each holds or does not. */
export function RulesView({ id }: { readonly id: string }) {
  const { data: rules = [], isSuccess } = useCall<readonly Explanation[]>('workspaces.explain', { workspace: id })
  return (
    <>
      <Card title="Rules">
        {isSuccess && rules.length === 0 && (
          <Empty title="No rules">Rules say what should happen under which condition. Add one below.</Empty>
        )}
        <ul className="claims">
          {rules.map(({ rule_id, rule_name, matched, enabled, reason, inherited_from }) => (
            <li key={rule_id}>
              <strong>{rule_name}</strong>{' '}
              <Badge state={enabled ? (matched ? 'holds' : 'does not hold') : 'disabled'} />
              {inherited_from && <span className="faint"> inherited from {inherited_from}</span>}
              <p className="text">{reason}</p>
            </li>
          ))}
        </ul>
      </Card>
      <OperationRunner title="Add a rule" name="workspaces.addRule" fixed={{ workspace: id }} />
    </>
  )
}
