import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCan } from '../../data/operations.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { formErrors } from '../../forms/errors.ts'
import { defaultsOf } from '../../forms/schema.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { ExecutionList } from './execution-list.tsx'
import type { Skill } from './skill.ts'

/** One skill: its form, and what its executions came to. */
export function SkillPage() {
  const { name } = useParams({ from: '/skills/$name' })
  const can = useCan()
  const { data: skill, error } = useCall<Skill>('skills.get', { skill: name })
  if (!skill) return <UnreadyPage error={error} what="The skill" />
  return (
    <>
      <PageHead title={`${skill.name} ${skill.version}`} about={skill.description} />
      {can('skills.run') && <SkillForm key={skill.version} skill={skill} />}
      <Card title="Executions">
        <ExecutionList filter={{ skill: name }} />
      </Card>
    </>
  )
}

function SkillForm({ skill }: { readonly skill: Skill }) {
  const schema = skill.parameters_schema ?? {}
  const [value, setValue] = useState<Record<string, unknown>>(() => defaultsOf(schema))
  const run = useAction<unknown>('skills.run')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate({ skill: skill.name, version: skill.version, params: value })
  }
  const errors = Object.fromEntries(
    Object.entries(formErrors(run.error)).map(([path, message]) => [path.replace(/^params\./, ''), message]),
  )
  return (
    <div className="columns">
      <form className="card" onSubmit={submit} aria-label={`Run ${skill.name}`}>
        <h2>Run</h2>
        <div className="fields">
          <SchemaForm schema={schema} value={value} onChange={setValue} errors={errors} />
        </div>
        <button type="submit" className="primary" disabled={run.isPending}>
          Run
        </button>
        {run.isPending && <span role="status">Running …</span>}
      </form>
      <Card title="Result">
        {run.isIdle && <p className="faint">The result appears here.</p>}
        <Failure title="The skill failed" error={run.error} />
        {run.isSuccess && <JsonView value={run.data} label="Result" />}
      </Card>
    </div>
  )
}
