import { describeError } from '../data/query-client.ts'
import { Notice } from './notice.tsx'

export interface FailureProps {
  /** What did not happen. */
  readonly title: string
  /** Why; nothing is shown without one. */
  readonly error: unknown
}

export function Failure({ title, error }: FailureProps) {
  if (error === undefined || error === null) return null
  return (
    <Notice kind="bad" title={title}>
      {describeError(error)}
    </Notice>
  )
}
