import { Failure } from './failure.tsx'
import { PageHead } from './page-head.tsx'

export interface UnreadyProps {
  /** Why there is nothing to show; none while it is on its way. */
  readonly error: unknown
  /** What would be shown: "The mission". */
  readonly what: string
}

/** Stands for what is not there yet, or cannot be had. What was there before an error stays in view instead. */
export function Unready({ error, what }: UnreadyProps) {
  if (!error) return <p role="status">Loading …</p>
  return <Failure title={`${what} cannot be shown`} error={error} />
}

/** The same in place of a whole page, which has a heading and a title for the window then too. */
export function UnreadyPage({ error, what }: UnreadyProps) {
  if (!error) return <Unready error={undefined} what={what} />
  return (
    <>
      <PageHead title={`${what} cannot be shown`} />
      <Failure title="Why" error={error} />
    </>
  )
}
