import { useState } from 'react'
import { useCan } from '../../data/operations.ts'
import { describeError } from '../../data/query-client.ts'
import type { MinionType } from '../../data/records.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { JsonInput } from '../../forms/inputs.tsx'
import { Card } from '../../parts/card.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Notice } from '../../parts/notice.tsx'
import { tell } from '../../parts/toasts.tsx'

interface Report {
  readonly changes: unknown
  readonly checked: number
  readonly minions: readonly unknown[]
}

/** Changes the fields of a type. What that does to its objects is shown before it is done. */
export function EvolutionForm({ type }: { readonly type: MinionType }) {
  const can = useCan()
  const [schema, setSchema] = useState<unknown>(type.schema)
  const isChanged = JSON.stringify(schema) !== JSON.stringify(type.schema)
  const { data: plan, error } = useCall<Report>(
    'types.planEvolution',
    { type: type.slug, schema },
    { enabled: isChanged && Array.isArray(schema) },
  )
  const evolve = useAction<Report>('types.evolve')
  const run = () =>
    evolve.mutate(
      { type: type.slug, schema },
      { onSuccess: ({ checked }) => tell(`The type was changed; ${checked.toLocaleString()} objects were checked.`) },
    )
  return (
    <div className="columns">
      <Card title="Change the fields">
        <JsonInput
          name="Fields"
          schema={{ type: 'array', description: 'A list of fields, each with a name and a type.' }}
          value={schema}
          onChange={setSchema}
        />
        {evolve.error && (
          <Notice kind="bad" title="It was not changed">
            {describeError(evolve.error)}
          </Notice>
        )}
        {can('types.evolve') && (
          <button
            type="button"
            className="primary"
            disabled={!isChanged || !plan || Boolean(error) || evolve.isPending}
            onClick={run}
          >
            Change the type
          </button>
        )}
      </Card>
      <Card title="The plan">
        {!isChanged && <p className="faint">What a change would do to the objects of this type appears here.</p>}
        {isChanged && error && (
          <Notice kind="bad" title="This cannot be done">
            {describeError(error)}
          </Notice>
        )}
        {isChanged && plan && (
          <>
            <p>
              <strong>
                {plan.minions.length.toLocaleString()} of {plan.checked.toLocaleString()} objects
              </strong>{' '}
              would lose, gain or lack a value.
            </p>
            <h3>Fields</h3>
            <JsonView value={plan.changes} label="Changes of fields" />
            {plan.minions.length > 0 && (
              <>
                <h3>Objects</h3>
                <JsonView value={plan.minions.slice(0, 50)} label="Objects that are concerned" />
              </>
            )}
          </>
        )}
      </Card>
    </div>
  )
}
