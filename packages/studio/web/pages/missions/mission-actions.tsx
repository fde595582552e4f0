import { useMutation } from '@tanstack/react-query'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import { describeError } from '../../data/query-client.ts'
import type { MissionProgress } from '../../data/records.ts'
import { tell, tellFailure } from '../../parts/toasts.tsx'

interface Replay {
  readonly checked: number
  readonly clean: boolean
  readonly difference?: { readonly message?: string }
}

export function MissionActions({ mission }: { readonly mission: MissionProgress }) {
  const { mission_id: id, status, active } = mission
  const can = useCan()
  const cancel = useMissionAction('missions.cancel', id, () =>
    tell('The mission was cancelled. Its artifacts are kept.', () => call('missions.resume', { mission: id })),
  )
  const resume = useMissionAction<MissionProgress>('missions.resume', id, (result) =>
    tell(`The mission ended: ${result.status.replaceAll('_', ' ')}.`),
  )
  const replay = useMissionAction<Replay>('missions.replay', id, ({ clean, checked, difference }) =>
    clean
      ? tell(`All ${checked} artifacts were reproduced exactly.`)
      : tellFailure(difference?.message ?? 'An artifact differs; run missions.replay for the details.'),
  )
  const isRunning = status === 'running' && active
  return (
    <>
      {can('missions.replay') && !isRunning && (
        <button type="button" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </button>
      )}
      {can('missions.resume') && !isRunning && status !== 'completed' && (
        <button type="button" className="primary" disabled={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </button>
      )}
      {can('missions.cancel') && isRunning && (
        <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </button>
      )}
    </>
  )
}

function useMissionAction<Output>(name: string, mission: string, onSuccess: (output: Output) => void) {
  return useMutation({
    mutationFn: () => call<Output>(name, { mission }),
    onSuccess,
    onError: (error) => tellFailure(describeError(error)),
  })
}
