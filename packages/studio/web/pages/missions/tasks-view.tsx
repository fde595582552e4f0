import { useMemo } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Graph } from '../../parts/graph/graph.tsx'
import type { MissionViewProps } from './artifacts-view.tsx'
import { essentialEdges } from './essential-edges.ts'
import { TaskCard } from './task-card.tsx'

/** The tasks of a mission as a graph, with one of them below. */
export function TasksView({ mission, selected, onSelect }: MissionViewProps) {
  const { tasks } = mission
  const nodes = useMemo(
    () =>
      tasks.map(({ task_id, role_type, status }) => ({
        id: task_id,
        label: task_id.replace(/^task_/, ''),
        detail: role_type.replaceAll('_', ' '),
        state: status,
      })),
    [tasks],
  )
  const shape = JSON.stringify(tasks.map(({ task_id, depends_on }) => [task_id, depends_on]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: dependencies change with the shape, not with each state
  const edges = useMemo(() => essentialEdges(tasks), [shape])
  if (tasks.length === 0) return <Empty title="No plan yet">Tasks appear here once the planner has made it.</Empty>
  const chosen = tasks.find(({ task_id }) => task_id === selected) ?? tasks.find(({ status }) => status === 'failed')
  return (
    <>
      <Graph label="Tasks of the mission" nodes={nodes} edges={edges} selected={chosen?.task_id} onSelect={onSelect} />
      {chosen ? (
        <TaskCard key={chosen.task_id} mission={mission} task={chosen} />
      ) : (
        <p className="faint">Select a task to see its instructions and artifacts.</p>
      )}
    </>
  )
}
