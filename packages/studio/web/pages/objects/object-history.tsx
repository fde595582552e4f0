import { useCan } from '../../data/operations.ts'
import { useCall } from '../../data/use-call.ts'
import { Empty } from '../../parts/empty.tsx'
import { Time } from '../../parts/time.tsx'

interface Entry {
  readonly number: number
  readonly at: string
  readonly kind: string
  readonly by?: string
  /** `field` is a JSON pointer into the object. */
  readonly changes: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[]
}

/** What happened to an object, from the audit log. */
export function ObjectHistory({ id }: { readonly id: string }) {
  const can = useCan()
  const isKept = can('audit.history')
  const { data = [] } = useCall<readonly Entry[]>('audit.history', { id }, { enabled: isKept })
  if (!isKept) {
    return (
      <Empty title="No history is kept">
        Add <code>auditLog()</code> of <code>@minions/audit-log</code> to the plugins of this store to record every
        change from then on.
      </Empty>
    )
  }
  if (data.length === 0) return <Empty title="No changes recorded yet">Changes made from now on appear here.</Empty>
  return (
    <ol className="card history">
      {data.toReversed().map(({ number, kind, by, at, changes }) => (
        <li key={number}>
          <p>
            <strong>{kind}</strong>
            {by && ` by ${by}`} <Time at={at} />
          </p>
          <dl className="changes">
            {changes.map(({ field, before, after }) => (
              <div key={field}>
                <dt>{field.slice(1).replace('/', ' › ')}</dt>
                <dd>
                  <del>{text(before)}</del> <ins>{text(after)}</ins>
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ol>
  )
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
