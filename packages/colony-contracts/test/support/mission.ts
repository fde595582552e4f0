import type { Artifact, ArtifactName } from '../../src/index.js'
import { example, type Json } from './edit.js'

export interface Mission {
  mission_envelope: Json
  mission_task_graph: Json
  prompt_package: Json
  research_artifact: Json
  librarian_pass: Json
  worker_result: Json
  aggregation_packet: Json
  review_packet: Json
  policy_decision: Json
  writeback_proposal: Json
}

export function task(taskId: string, rest: Json = {}): Json {
  return {
    task_id: taskId,
    role_type: 'worker',
    objective: 'Do it.',
    depends_on: [],
    required_capabilities: [],
    allowed_tools: [],
    required_data_scopes: [],
    success_criteria: [],
    ...rest,
  }
}

/** The ten examples, with a graph that has the tasks they speak of, so that together they are a valid mission. */
export function linkedMission(): Mission {
  const mission = Object.fromEntries(
    (
      [
        'mission_envelope',
        'mission_task_graph',
        'prompt_package',
        'research_artifact',
        'librarian_pass',
        'worker_result',
        'aggregation_packet',
        'review_packet',
        'policy_decision',
        'writeback_proposal',
      ] satisfies ArtifactName[]
    ).map((name) => [name, example(name)]),
  ) as unknown as Mission
  mission.mission_task_graph.tasks = [
    ...(mission.mission_task_graph.tasks as Json[]),
    task('task_research_01', { role_type: 'researcher', allowed_tools: ['external_search'] }),
    task('task_worker_01', {
      depends_on: ['task_plan_01', 'task_research_01'],
      allowed_tools: ['crm_search', 'local_property_rag', 'external_search'],
      required_data_scopes: ['mission_metadata'],
    }),
  ]
  return mission
}

export function artifactsOf(mission: Mission): Artifact[] {
  return Object.values(mission)
}
