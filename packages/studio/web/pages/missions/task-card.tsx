import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { MissionProgress, Task } from '../../data/records.ts'
import { labelOf } from '../../forms/schema.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Notice } from '../../parts/notice.tsx'
import { idOf, useArtifacts } from './use-artifacts.ts'

/** One task: why it failed, its prompt, and its artifacts. */
export function TaskCard({ mission, task }: { readonly mission: MissionProgress; readonly task: Task }) {
  const can = useCan()
  const artifacts = useArtifacts(mission.mission_id, task.task_id)
  const prompt = artifacts.find(({ schema_name }) => schema_name === 'prompt_package')
  const template = typeof prompt?.template_id === 'string' ? prompt.template_id : undefined
  const named = promptNamedIn(task.error)
  const promptId = template ?? named
  return (
    <Card title={task.task_id}>
      <p>
        <Badge state={task.status} /> {labelOf(task.role_type)}, attempt {task.attempt}
        {task.depends_on.length > 0 && `, after ${task.depends_on.join(', ')}`}
      </p>
      {task.error !== null && (
        <Notice kind="bad" title="Why it failed">
          <p className="text">{task.error}</p>
        </Notice>
      )}
      {promptId !== undefined && can('prompts.get') && (
        <p>
          Prompt:{' '}
          <Link to="/prompts/$id" params={{ id: promptId }}>
            {promptId}
          </Link>
        </p>
      )}
      {typeof prompt?.task_prompt === 'string' && (
        <details>
          <summary>Instructions</summary>
          <p className="text">{prompt.task_prompt}</p>
        </details>
      )}
      <ul className="rows">
        {artifacts.map((artifact) => (
          <li key={`${artifact.schema_name} ${idOf(artifact)}`}>
            <Link
              to="/missions/$id"
              params={{ id: mission.mission_id }}
              search={{ view: 'artifacts', artifact: idOf(artifact) }}
            >
              {idOf(artifact)}
            </Link>
            <span className="faint">{artifact.schema_name.replaceAll('_', ' ')}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The prompt that an error is about, if it names one. */
function promptNamedIn(error: string | null): string | undefined {
  return /\b(colony-prompt-[a-z_-]+)/.exec(error ?? '')?.[1]
}
