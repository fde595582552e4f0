import { type ReactNode, useState } from 'react'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import { TextInput } from '../../forms/inputs.tsx'
import { Failure } from '../../parts/failure.tsx'
import { tell } from '../../parts/toasts.tsx'

export interface DecisionProps {
  /** Whose `approve` and `reject` decide. */
  readonly area: 'proposals' | 'approvals'
  /** What it is about, for readers that cannot see where the buttons stand. */
  readonly subject: string
  readonly input: Readonly<Record<string, unknown>>
  readonly isReasonNeeded?: boolean
  /** The tenant of what is decided on, where it need not be the chosen one. */
  readonly within?: string | undefined
  readonly children?: ReactNode
}

/** Approves or rejects; a key that may not decide sees neither. */
export function Decision(props: DecisionProps) {
  const { area, subject, input, isReasonNeeded = false, children } = props
  const can = useCan()
  const [reason, setReason] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  if (!can(`${area}.approve`)) return null
  const decide = async (verb: 'approve' | 'reject', done: string) => {
    setBusy(true)
    try {
      const options = 'within' in props ? { tenant: props.within } : {}
      await call(`${area}.${verb}`, { ...input, ...(typeof reason === 'string' && { reason }) }, options)
      tell(`${subject} was ${done}.`)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const isReady = !isBusy && (!isReasonNeeded || (typeof reason === 'string' && reason.trim() !== ''))
  return (
    <div>
      <Failure title="The decision was not recorded" error={problem} />
      <TextInput
        name="reason"
        schema={{ type: 'string', label: 'Reason', description: 'Recorded with the decision.' }}
        required={isReasonNeeded}
        value={reason}
        onChange={setReason}
      />
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={!isReady}
          aria-label={`Approve ${subject}`}
          onClick={() => decide('approve', 'approved')}
        >
          Approve
        </button>
        <button
          type="button"
          className="danger"
          disabled={!isReady}
          aria-label={`Reject ${subject}`}
          onClick={() => decide('reject', 'rejected')}
        >
          Reject
        </button>
        {children}
      </div>
    </div>
  )
}
