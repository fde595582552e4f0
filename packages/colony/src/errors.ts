import { messageOf as coreMessageOf, defineErrors } from '@minions/core'

/** Every code that this package throws, with its meaning. */
export const COLONY_ERROR_CODES = {
  ROLE_MISSING: 'A task needs a role for which no handler was given; add it to the `roles` of the plugin.',
  ROLE_OUTPUT_INVALID:
    'A role returned something that its contract does not allow; `details.errors` lists every problem.',
  TASK_FAILED: 'A task failed; `cause` says why.',
  TOOL_FAILED: 'A tool threw; `cause` is the thrown value, except in a replay.',
  TOOL_MISSING: 'A role called a tool that is not registered; add it to the `tools` of the plugin.',
  MODEL_MISSING: 'A model is to play the roles, but the app has none; add the plugin of `@minions/models`.',
  MODEL_ANSWER_INVALID:
    'A model returned no usable artifact within its attempts; `details.errors` has the last problems.',
  BUDGET_EXCEEDED: 'A mission has used up its time or tokens.',
  MISSION_ENDED: 'A mission has ended, so nothing more can be stored for it.',
  MISSION_EXISTS: 'This mission was started before; resume it, or give the envelope another mission_id.',
  MISSION_INTERRUPTED: 'The app was closed while a mission ran; resume it to continue.',
  MISSION_NOT_LIVE: 'A task was run outside its mission; use `resume` of the colony.',
  WORKERS_MISSING:
    'Tasks were to run on workers, but the app lacks the plugin `jobs()` of `@minions/skills-runtime/jobs`; add it.',
  REPLAY_DIVERGED: 'A replayed role asked for something that was not recorded.',
}
export type ColonyErrorCode = keyof typeof COLONY_ERROR_CODES

export const colonyError = defineErrors(COLONY_ERROR_CODES)

const MAX_MESSAGE_LENGTH = 10_000

/** The message of anything that was thrown, as a string that every store can keep. */
export function messageOf(thrown: unknown): string {
  return coreMessageOf(thrown, MAX_MESSAGE_LENGTH)
}
