import { Link, useParams } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { MinionType } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { EvolutionForm } from './evolution-form.tsx'

/** One type: its fields, and what another schema would do to its objects. */
export function TypePage() {
  const { slug } = useParams({ from: '/types/$slug' })
  const can = useCan()
  const { data: type, error } = useCall<MinionType>('types.get', { type: slug })
  if (!type) return <UnreadyPage error={error} what="The type" />
  return (
    <>
      <PageHead title={type.name} about={type.description}>
        <Link to="/objects" search={{ type: slug }} className="button">
          Show objects
        </Link>
      </PageHead>
      <Card title="Fields">
        <PlainTable titles={['Name', 'Type', 'Required', 'Description']}>
          {type.schema.map((field) => (
            <tr key={field.name}>
              <th scope="row">
                <code>{field.name}</code>
              </th>
              <td>{field.options ? `${field.type}: ${field.options.join(', ')}` : field.type}</td>
              <td>{field.required ? 'yes' : 'no'}</td>
              <td>{field.description ?? field.label}</td>
            </tr>
          ))}
        </PlainTable>
      </Card>
      {type.isSystem && (
        <p className="faint">Built-in types cannot be changed. Create a type of your own for other fields.</p>
      )}
      {can('types.evolve') && !type.isSystem && <EvolutionForm key={JSON.stringify(type.schema)} type={type} />}
    </>
  )
}
