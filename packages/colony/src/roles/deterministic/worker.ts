import type { MissionTask } from '@minions/colony-contracts'
import type { ExampleLead } from '../../example/example-mission.js'
import type { RoleHandler } from '../role.js'

/** Scores the lead of the task and says what to do about it. */
export const assess: RoleHandler<'worker'> = async ({ envelope, task, read }, context) => {
  const id = subjectOf(task)
  const mayUse = task.allowed_tools.includes('crm_search') && context.hasTool('crm_search')
  const lead = id !== undefined && mayUse ? ((await context.tool('crm_search', { lead_id: id })) as ExampleLead) : null
  if (!lead) {
    return {
      output_text:
        id === undefined ? `Nothing to assess for: ${envelope.normalized_goal}` : `Nothing is known about ${id}.`,
      structured_output: {
        ...(id !== undefined && { lead_id: id }),
        score: 0,
        priority: 'low',
        recommended_action: 'none',
      },
      citations: [],
      confidence: 0.2,
    }
  }
  const inventory = await context.tool('local_property_rag', { query: lead.interest })
  const score = scoreOf(lead)
  const priority = score >= 70 ? 'high' : score >= 45 ? 'medium' : 'low'
  const action = ACTIONS[priority]
  return {
    output_text: `${lead.name} (${lead.lead_id}) wants ${lead.interest} and scores ${score}: ${priority} priority, ${action}.`,
    structured_output: {
      lead_id: lead.lead_id,
      name: lead.name,
      stage: lead.stage,
      score,
      priority,
      recommended_action: action,
    },
    citations: [
      { kind: 'internal', ref: lead.lead_id },
      ...read('research_artifact').flatMap(({ results }) => results.map(({ url }) => ({ kind: 'web', ref: url }))),
    ],
    confidence: Array.isArray(inventory) && inventory.length > 0 ? 0.8 : 0.6,
  }
}

const ACTIONS = {
  high: 'schedule executive follow-up',
  medium: 'send a tailored offer',
  low: 'keep in the newsletter',
} as const

/** Intent counts most, then the budget; every week of silence costs. */
function scoreOf({ intent, budget_millions, days_since_contact }: ExampleLead): number {
  const money = Math.min(20, Math.round(budget_millions / 2.5))
  return Math.max(0, Math.round(intent * 0.8) + money - Math.floor(days_since_contact / 7) * 2)
}

/** Tasks keep fields that the contract does not know; the planner names the lead in one. */
function subjectOf(task: MissionTask): string | undefined {
  const { subject_ref } = task as MissionTask & { readonly subject_ref?: unknown }
  return typeof subject_ref === 'string' ? subject_ref : undefined
}
