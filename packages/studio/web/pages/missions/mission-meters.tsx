import type { MissionEnvelope, MissionProgress } from '../../data/records.ts'
import { duration } from '../../parts/time.tsx'

export interface MissionMetersProps {
  readonly mission: MissionProgress
  readonly envelope: MissionEnvelope | undefined
}

/** How much of its budgets a mission has used. */
export function MissionMeters({ mission, envelope }: MissionMetersProps) {
  const { completed, total, tokens_used, elapsed_ms } = mission
  return (
    <div className="meters">
      <Meter label="Tasks" value={`${completed} of ${total}`} used={completed} budget={total} isLimit={false} />
      <Meter
        label="Time"
        value={duration(elapsed_ms)}
        used={elapsed_ms}
        budget={envelope?.time_budget_ms}
        shown={envelope?.time_budget_ms === undefined ? undefined : duration(envelope.time_budget_ms)}
      />
      <Meter
        label="Tokens"
        value={tokens_used.toLocaleString()}
        used={tokens_used}
        budget={envelope?.token_budget}
        shown={envelope?.token_budget?.toLocaleString()}
      />
    </div>
  )
}

interface MeterProps {
  readonly label: string
  readonly value: string
  readonly used: number
  readonly budget: number | undefined
  /** The budget, in words. */
  readonly shown?: string | undefined
  readonly isLimit?: boolean
}

function Meter({ label, value, used, budget, shown, isLimit = true }: MeterProps) {
  const share = budget === undefined || budget === 0 ? 0 : Math.min(1, used / budget)
  return (
    <div>
      <span className="meter-label">{label}</span>
      <span className="meter-value">{value}</span>
      {shown !== undefined && <span className="faint"> of {shown}</span>}
      {budget !== undefined && (
        <div className={isLimit && share >= 1 ? 'bar over' : 'bar'}>
          <span style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  )
}
