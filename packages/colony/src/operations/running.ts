import { type MissionEnvelope, MissionEnvelopeSchema } from '@minions/colony-contracts'
import { MinionsError } from '@minions/core'
import { type OperationContext, requireTenant } from '@minions/core/operations'
import { Type } from 'typebox'
import {
  type MissionProgress,
  MissionProgressSchema,
  type MissionResult,
  MissionResultSchema,
} from '../runner/mission-status.js'
import { exampleCaller, exampleInput, exampleRun, exampleStart, mission, operation, settings } from './inputs.js'

const Envelope = Type.Object(MissionEnvelopeSchema.properties, {
  description: 'The goal, who asks and the limits: a `mission_envelope`.',
  examples: [exampleRun[1].envelope],
})

export const run = operation({
  name: 'missions.run',
  summary: 'Run a mission to its end',
  description:
    'Reports progress whenever a task begins or ends. Cancelling the call cancels the mission; its artifacts are kept, and missions.resume continues it.',
  access: 'write',
  input: { envelope: Envelope, ...settings },
  output: MissionResultSchema,
  examples: [{ ...exampleCaller, title: 'The example mission', input: exampleRun[1] }],
  async run({ envelope, ...options }, { colony }, context) {
    requireOwnTenant(envelope, context)
    return finished(await colony.run(envelope, { ...options, ...following(context) }), context)
  },
})

export const start = operation({
  name: 'missions.start',
  summary: 'Start a mission and leave it running in this process',
  access: 'write',
  input: { envelope: Envelope, ...settings },
  output: MissionProgressSchema,
  examples: [{ ...exampleCaller, title: 'The example mission', input: exampleStart[1] }],
  run({ envelope, ...options }, { colony }, context) {
    requireOwnTenant(envelope, context)
    return colony.start(envelope, options)
  },
})

export const submit = operation({
  name: 'missions.submit',
  summary: 'Leave a mission to workers on the store',
  description:
    'Workers lead it and perform its tasks, so it continues whatever happens to the process that submitted it. It waits while there is no worker.',
  access: 'write',
  input: { envelope: Envelope },
  output: MissionProgressSchema,
  examples: [{ ...exampleCaller, title: 'The example mission', input: exampleStart[1] }],
  run({ envelope }, { colony }, context) {
    requireOwnTenant(envelope, context)
    return colony.submit(envelope)
  },
})

export const resume = operation({
  name: 'missions.resume',
  summary: 'Continue a mission from its current state to its end',
  description:
    'Completed tasks are not repeated. While another process runs the mission, this call waits for it. Cancelling the call cancels the mission.',
  access: 'write',
  input: {
    ...mission,
    retryFailed: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Continue a mission that failed or was cancelled.',
        examples: [false],
      }),
    ),
    ...settings,
  },
  output: MissionResultSchema,
  examples: [
    {
      ...exampleCaller,
      title: 'A mission that was cancelled',
      given: [exampleStart, ['missions.cancel', exampleInput]],
      input: exampleInput,
    },
  ],
  async run({ mission: id, ...options }, { colony }, context) {
    const missions = colony.forTenant(requireTenant(context))
    return finished(await missions.resume(id, { ...options, ...following(context) }), context)
  },
})

/** Ends a mission that runs. Throws `CONFLICT` for one that had ended before. */
function ending(verb: 'cancel' | 'pause', wanted: 'cancelled' | 'paused', summary: string, description: string) {
  return operation({
    name: `missions.${verb}`,
    summary,
    description,
    access: 'write',
    input: mission,
    output: MissionProgressSchema,
    examples: [{ ...exampleCaller, title: 'A mission that runs', given: [exampleStart], input: exampleInput }],
    async run({ mission: id }, { colony }, context) {
      const progress = await colony.forTenant(requireTenant(context))[verb](id)
      const { mission_id, status } = progress
      if (status === wanted) return progress
      throw new MinionsError('CONFLICT', `Mission ${mission_id} cannot be ${wanted}: it has ended as ${status}.`, {
        details: { mission_id, status },
      })
    },
  })
}

const kept = 'Its artifacts are kept, and missions.resume continues it.'
export const cancel = ending('cancel', 'cancelled', 'End a mission, wherever it runs', kept)

const drained = 'Running tasks are finished and no more are started; missions.resume continues it.'
export const pause = ending('pause', 'paused', 'Pause a mission, wherever it runs', drained)

/** An envelope names its tenant, so that a call within another one is a mistake or an attack. */
function requireOwnTenant({ tenant_id }: MissionEnvelope, { tenant = tenant_id }: OperationContext): void {
  if (tenant === tenant_id) return
  const message = `The envelope belongs to the tenant "${tenant_id}", not to "${tenant}", within which the call is made.`
  throw new MinionsError('VALIDATION_FAILED', message)
}

function following({ signal, progress }: OperationContext) {
  const onProgress = ({ completed, total, status }: MissionProgress) =>
    progress({ done: completed, total, message: status })
  return { signal, onProgress }
}

/** A caller that cancelled its mission does not wait for the result. */
function finished(result: MissionResult, { signal }: OperationContext): MissionResult {
  if (result.status === 'cancelled') signal.throwIfAborted()
  return result
}
