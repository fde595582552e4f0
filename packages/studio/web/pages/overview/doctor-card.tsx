import { useQuery } from '@tanstack/react-query'
import { call } from '../../data/connection.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'

interface Diagnosis {
  readonly findings: readonly { readonly kind: string; readonly where: string; readonly message: string }[]
  readonly more: boolean
}

/** Maximum number of objects of a store that is looked through without being asked. */
const QUICK = 5_000

/** What is wrong with the store itself. A large store is looked through when the user asks for it. */
export function DoctorCard() {
  const { data: objects } = useCall<{ count: number }>('objects.count')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['diagnosis'],
    queryFn: ({ signal }) => call<Diagnosis>('store.diagnose', { limit: 20 }, { signal }),
    enabled: objects !== undefined && objects.count <= QUICK,
  })
  const findings = data?.findings ?? []
  return (
    <Card title="Health">
      {isFetching && <p role="status">Checking the store …</p>}
      <Failure title="The store could not be checked" error={error} />
      {data && findings.length === 0 && <Notice kind="good" title="No problems found" />}
      {findings.length > 0 && (
        <ul className="findings">
          {findings.map(({ kind, where, message }) => (
            <li key={`${where} ${message}`}>
              <strong>
                {kind} in {where}
              </strong>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {data?.more && <p className="faint">There are more; list them all with minions doctor.</p>}
      {!isFetching && (
        <button type="button" className="small" onClick={() => refetch()}>
          {data ? 'Check again' : 'Check the store'}
        </button>
      )}
    </Card>
  )
}
