import { getOwn } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { Skill } from '../../skills/definition/skill.js'
import type { SkillContext } from '../../skills/definition/skill-context.js'

/** The clock of an attempt's timeout. A runner may stop it while the code waits for a thread. */
export interface AttemptClock {
  hold(): void
  unhold(): void
}

/**
 * Runs the code of skills, in one kind of isolation. Whatever comes back is checked afterwards; when `context.signal` is
 * aborted, the result is discarded and the runner should stop the code if it can.
 */
export interface SkillRunner {
  run(skill: Skill, params: Record<string, unknown>, context: SkillContext, clock?: AttemptClock): unknown
  /** Called at shutdown, when nothing runs any more. */
  close?(): void | Promise<void>
}

/** Runs skills in this thread: their function, or the one that their module exports. */
export const inlineRunner: SkillRunner = {
  run(skill, params, context) {
    return skill.execute === undefined ? importAndRun(skill, params, context) : skill.execute(params, context)
  },
}

async function importAndRun(skill: Skill, params: Record<string, unknown>, context: SkillContext): Promise<unknown> {
  const name = skill.export ?? 'execute'
  const module: object = await import(String(skill.module))
  const execute = getOwn(module, name)
  if (typeof execute === 'function') return execute(params, context)
  throw skillsError('SKILL_FAILED', `The module of the skill "${skill.name}" exports no function "${name}".`)
}
