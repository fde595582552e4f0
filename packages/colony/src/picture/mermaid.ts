import { guarded } from '@minions/core/plugin'
import { type DiagramStyle, toMermaid } from '@minions/exporters'
import type { TaskStatus } from '../mission/live-mission.js'
import type { MissionProgress } from '../runner/mission-status.js'

const STYLES: Readonly<Record<TaskStatus, DiagramStyle>> = {
  pending: { fill: '#f3f4f6', stroke: '#9ca3af' },
  running: { fill: '#dbeafe', stroke: '#2563eb' },
  waiting: { fill: '#ede9fe', stroke: '#7c3aed' },
  completed: { fill: '#dcfce7', stroke: '#16a34a' },
  failed: { fill: '#fee2e2', stroke: '#dc2626' },
  blocked: { fill: '#fef3c7', stroke: '#d97706' },
  cancelled: { fill: '#e5e7eb', stroke: '#6b7280' },
}

/** The tasks of a mission, each with its role and state, as a Mermaid flowchart. */
export const missionDiagram = guarded('missionDiagram', missionDiagramUnchecked, { checksInside: true })

function missionDiagramUnchecked({ tasks }: MissionProgress): string {
  return toMermaid(
    {
      nodes: tasks.map(({ task_id, role_type, status }) => ({
        id: task_id,
        label: `${task_id}\n${role_type}, ${status}`,
        state: status,
      })),
      edges: tasks.flatMap(({ task_id, depends_on }) => depends_on.map((from) => ({ from, to: task_id }))),
    },
    { styles: STYLES },
  )
}
