import { type CompleteSkill, defineSkill, type SkillContext } from '@minions/skills-runtime'
import { type Static, Type } from 'typebox'

/** The parameters of a task's execution; the rest is in the store. */
const TaskParametersSchema = Type.Object({
  mission_id: Type.String(),
  task_id: Type.String(),
  role_type: Type.String(),
  attempt: Type.Integer({ minimum: 1 }),
})

export type TaskParameters = Readonly<Static<typeof TaskParametersSchema>>

/** Maximum duration of a skill, in seconds. A task is limited by the time budget of its mission instead. */
const TIMEOUT = 3600

/** The tag of the skills that only missions run. */
export const ROLE_TAG = 'colony'

export function skillName(role: string): string {
  return `colony-${role.replaceAll('_', '-')}`
}

/** The skill that leads a mission; it only waits for the tasks, which are jobs of their own. */
export const LEAD_SKILL = 'colony-lead'

const LeadParametersSchema = Type.Object({ mission_id: Type.String(), tenant_id: Type.String() })

export function leadSkill(lead: (missionId: string, tenantId: string) => Promise<string>): CompleteSkill {
  return defineSkill({
    name: LEAD_SKILL,
    version: '1.0.0',
    description: 'Leads a mission whose tasks are left to workers.',
    parameters_schema: LeadParametersSchema,
    timeout: TIMEOUT,
    // A mission may take longer than any skill; the next attempt keeps waiting for it.
    retryTimeouts: true,
    tags: [ROLE_TAG],
    execute: async ({ mission_id, tenant_id }) => ({ mission_id, status: await lead(mission_id, tenant_id) }),
  })
}

/** One skill per role, so that executions show what was done. */
export function roleSkills(
  roles: readonly string[],
  perform: (parameters: TaskParameters, context: SkillContext) => Promise<string | undefined>,
): CompleteSkill[] {
  return roles.map((role) =>
    defineSkill({
      name: skillName(role),
      version: '1.0.0',
      description: `Does a task of a mission as its ${role.replaceAll('_', ' ')}.`,
      parameters_schema: TaskParametersSchema,
      timeout: TIMEOUT,
      tags: [ROLE_TAG],
      async execute(parameters, context) {
        const waits_for = await perform(parameters, context)
        return { task_id: parameters.task_id, ...(waits_for !== undefined && { waits_for }) }
      },
    }),
  )
}
