import type { MissionEnvelope, MissionTask } from '@minions/colony-contracts'
import type { RoleHandler } from '../role.js'

/** One task to prepare prompts, one for passes, one for research, a worker for each lead, then a draft and its review. */
export const plan: RoleHandler<'planner'> = ({ envelope }) => {
  const workers = workersFor(leadIdsOf(envelope), (lead) => ({
    objective: lead === undefined ? envelope.normalized_goal : `Assess lead ${lead} and recommend the next action.`,
    depends_on: ['task_prompts', 'task_library', 'task_research'],
    required_capabilities: ['lead_assessment'],
    allowed_tools: ['crm_search', 'local_property_rag'],
    required_data_scopes: ['crm.leads'],
    success_criteria: ['the result says how urgent the lead is', 'every claim has a source'],
  }))
  return {
    tasks: [
      task({
        task_id: 'task_prompts',
        role_type: 'prompt_master',
        objective: 'Prepare role-specific prompt packages for all execution tasks.',
        required_capabilities: ['prompt_templates'],
        success_criteria: ['prompt packages exist for all downstream tasks'],
      }),
      task({
        task_id: 'task_library',
        role_type: 'librarian',
        objective: 'Say which internal data each task may look at.',
        depends_on: ['task_prompts'],
        required_data_scopes: ['crm.leads'],
      }),
      task({
        task_id: 'task_research',
        role_type: 'researcher',
        objective: `Find outside evidence for: ${envelope.normalized_goal}`,
        depends_on: ['task_prompts', 'task_library'],
        allowed_tools: ['external_search'],
        success_criteria: ['each source has an address'],
      }),
      ...workers,
      task({
        task_id: 'task_aggregate',
        role_type: 'aggregator',
        objective: 'Make one prioritized brief of all results.',
        depends_on: ['task_prompts', 'task_research', ...workers.map(({ task_id }) => task_id)],
        success_criteria: ['every claim names what supports it'],
      }),
      task({
        task_id: 'task_review',
        role_type: 'reviewer',
        objective: 'Review the brief and propose what to write back.',
        depends_on: ['task_prompts', 'task_aggregate'],
      }),
    ],
  }
}

export function leadIdsOf({ context_refs }: MissionEnvelope): string[] {
  const ids = context_refs && Object.hasOwn(context_refs, 'lead_ids') ? context_refs.lead_ids : []
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** A worker for each subject, or one for the whole mission if it names none. */
export function workersFor(
  subjects: readonly string[],
  fields: (subject: string | undefined) => Partial<MissionTask> & Pick<MissionTask, 'objective'>,
) {
  return (subjects.length > 0 ? subjects : [undefined]).map((subject, index) =>
    task({
      task_id: `task_worker_${String(index + 1).padStart(2, '0')}`,
      role_type: 'worker',
      ...fields(subject),
      ...(subject !== undefined && { subject_ref: subject }),
    }),
  )
}

/** A task with empty lists by default. */
export function task<T extends Partial<MissionTask> & Pick<MissionTask, 'task_id' | 'role_type' | 'objective'>>(
  fields: T,
) {
  const empty = { depends_on: [], required_capabilities: [], allowed_tools: [] }
  return { ...empty, required_data_scopes: [], success_criteria: [], ...fields }
}
