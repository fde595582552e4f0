import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { tenant } from '../../data/connection.ts'
import { type OperationDetails, useCan, useOperation } from '../../data/operations.ts'
import { useStore } from '../../data/store.ts'
import { useAction } from '../../data/use-call.ts'
import { formErrors } from '../../forms/errors.ts'
import { LinesInput } from '../../forms/inputs.tsx'
import { without } from '../../forms/schema.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Failure } from '../../parts/failure.tsx'
import { NotAllowed } from '../../parts/not-allowed.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Unready } from '../../parts/unready.tsx'

/** Starts a mission. The form begins with an example under an id of its own; the goal is all that must be written. */
export function NewMissionPage() {
  const can = useCan()
  const { data: operation, error } = useOperation('missions.start')
  return (
    <>
      <PageHead title="New mission" about="It runs in the process that serves this page." />
      {!operation && <Unready error={error} what="The form" />}
      {operation && !can('missions.start') && <NotAllowed operation="missions.start" access={operation.access} />}
      {operation && can('missions.start') && <MissionForm operation={operation} />}
    </>
  )
}

type Envelope = Readonly<Record<string, unknown>>

function MissionForm({ operation }: { readonly operation: OperationDetails }) {
  const navigate = useNavigate()
  const within = useStore(tenant)
  const first = useMemo(() => exampleOf(operation, within), [operation, within])
  const [changed, setChanged] = useState<Envelope>()
  const envelope = changed ?? first
  const start = useAction<{ mission_id: string }>('missions.start')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate(
      { envelope },
      { onSuccess: ({ mission_id }) => navigate({ to: '/missions/$id', params: { id: mission_id } }) },
    )
  }
  const errors = formErrors(start.error)
  const schema = operation.input.properties?.envelope ?? {}
  return (
    <form className="card form" onSubmit={submit} aria-label="New mission">
      <Failure title="The mission was not started" error={start.error} />
      <LinesInput
        name="user_goal"
        schema={{ type: 'string', label: 'Goal', description: 'What the mission should achieve, in your words.' }}
        required
        value={envelope.user_goal}
        error={errors['envelope.user_goal']}
        onChange={(goal) => setChanged({ ...envelope, user_goal: goal, normalized_goal: goal })}
      />
      <details>
        <summary>All settings</summary>
        <SchemaForm
          schema={without(schema, ['user_goal'])}
          value={envelope}
          onChange={setChanged}
          errors={errors}
          path="envelope"
        />
      </details>
      <button type="submit" className="primary" disabled={start.isPending}>
        Start mission
      </button>
      {start.isPending && <span role="status">Starting …</span>}
    </form>
  )
}

/** The example of the operation, as a mission of its own in the chosen tenant. */
function exampleOf({ examples }: OperationDetails, within: string | undefined): Envelope {
  const { envelope = {} } = Object(examples[0]?.input) as { readonly envelope?: object }
  const fresh = { mission_id: crypto.randomUUID(), created_at: new Date().toISOString() }
  return { ...envelope, ...fresh, ...(within !== undefined && { tenant_id: within }) }
}
