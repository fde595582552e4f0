import { type FormEvent, useState } from 'react'
import { useCan } from '../../data/operations.ts'
import type { MinionType } from '../../data/records.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { JsonInput } from '../../forms/inputs.tsx'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { tell } from '../../parts/toasts.tsx'
import { EvolutionPlan, type EvolutionReport } from './evolution-plan.tsx'

/** Changes the fields of a type. What that does to its objects is shown before it is done. */
export function EvolutionForm({ type }: { readonly type: MinionType }) {
  const can = useCan()
  const [schema, setSchema] = useState<unknown>(type.schema)
  const isChanged = JSON.stringify(schema) !== JSON.stringify(type.schema)
  const { data: plan, error } = useCall<EvolutionReport>(
    'types.planEvolution',
    { type: type.slug, schema },
    { enabled: isChanged && Array.isArray(schema) },
  )
  const evolve = useAction<EvolutionReport>('types.evolve')
  const run = (event: FormEvent) => {
    event.preventDefault()
    evolve.mutate(
      { type: type.slug, schema },
      { onSuccess: ({ checked }) => tell(`The type was changed; ${checked.toLocaleString()} objects were checked.`) },
    )
  }
  return (
    <div className="columns">
      <form className="card" aria-label="Change the fields" onSubmit={run}>
        <h2>Change the fields</h2>
        <JsonInput
          name="Fields"
          schema={{ type: 'array', description: 'A list of fields, each with a name and a type.' }}
          value={schema}
          onChange={setSchema}
        />
        <Failure title="The type was not changed" error={evolve.error} />
        {can('types.evolve') && (
          <button
            type="submit"
            className="primary"
            disabled={!isChanged || !plan || Boolean(error) || evolve.isPending}
          >
            Change the type
          </button>
        )}
      </form>
      <Card title="Plan">
        {!isChanged && (
          <p className="faint">Edit the fields to see what the change would do to the objects of this type.</p>
        )}
        {isChanged && <Failure title="This change is not possible" error={error} />}
        {isChanged && plan && <EvolutionPlan plan={plan} />}
      </Card>
    </div>
  )
}
