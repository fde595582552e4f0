import { TASK_ROLE_TYPES, type TaskRoleType } from '@minions/colony-contracts'
import { type CompleteSkill, defineSkill, type SkillContext } from '@minions/skills-runtime'
import { Type } from 'typebox'

/** What an execution of a task is told; the rest is in the store. */
const TaskParametersSchema = Type.Object({
  mission_id: Type.String(),
  task_id: Type.String(),
  role_type: Type.Enum(TASK_ROLE_TYPES),
  attempt: Type.Integer({ minimum: 1 }),
})

export interface TaskParameters {
  readonly mission_id: string
  readonly task_id: string
  readonly role_type: TaskRoleType
  readonly attempt: number
}

/** The longest a skill may take, in seconds. What limits a task is the time budget of its mission. */
const TIMEOUT = 3600

/** The name of the skill that stands for a role. */
export function skillName(role: TaskRoleType): string {
  return `colony-${role.replaceAll('_', '-')}`
}

/** One skill for each role, so that executions say what was done. */
export function roleSkills(
  perform: (parameters: TaskParameters, context: SkillContext) => Promise<void>,
): CompleteSkill[] {
  return TASK_ROLE_TYPES.map((role) =>
    defineSkill({
      name: skillName(role),
      version: '1.0.0',
      description: `Does a task of a mission as its ${role.replaceAll('_', ' ')}.`,
      parameters_schema: TaskParametersSchema,
      timeout: TIMEOUT,
      tags: ['colony'],
      async execute(parameters, context) {
        await perform(parameters as TaskParameters, context)
        return { task_id: parameters.task_id }
      },
    }),
  )
}
