import { type FormEvent, useState } from 'react'
import { call } from '../../data/connection.ts'
import { type OperationDetails, useCan, useOperation } from '../../data/operations.ts'
import { formErrors } from '../../forms/errors.ts'
import { defaultsOf, without } from '../../forms/schema.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Failure } from '../../parts/failure.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { NotAllowed } from '../../parts/not-allowed.tsx'

export interface OperationRunnerProps {
  readonly name: string
  /** Stands above the form, and nothing at all where the key may not run the operation. */
  readonly title?: string
  readonly initial?: Readonly<Record<string, unknown>> | undefined
  /** Values that the page knows, which the form does not ask for. */
  readonly fixed?: Readonly<Record<string, unknown>> | undefined
  /** Told of the result, where another page has use for it. */
  readonly onDone?: ((result: unknown) => void) | undefined
}

/** The form of an operation, made from its schema, and its result. */
export function OperationRunner({ title, ...props }: OperationRunnerProps) {
  const can = useCan()
  if (title === undefined) return <LoadedOperation {...props} />
  if (!can(props.name)) return null
  return (
    <>
      <h3>{title}</h3>
      <LoadedOperation {...props} />
    </>
  )
}

function LoadedOperation({ name, ...props }: Omit<OperationRunnerProps, 'title'>) {
  const { data: operation, isPending, error } = useOperation(name)
  const can = useCan()
  if (isPending) return <p role="status">Loading …</p>
  if (error) return <Failure title="The form cannot be loaded" error={error} />
  if (!can(name)) return <NotAllowed operation={name} access={operation.access} />
  return <OperationForm operation={operation} {...props} />
}

interface OperationFormProps extends Omit<OperationRunnerProps, 'name' | 'title'> {
  readonly operation: OperationDetails
}

const NOTHING: Readonly<Record<string, unknown>> = {}

type Outcome = { readonly result: unknown } | { readonly error: unknown }

function OperationForm({ operation, initial, fixed = NOTHING, onDone }: OperationFormProps) {
  const { name, access, destructive } = operation
  const rest = without(operation.input, Object.keys(fixed))
  // What the page has a value for comes before what is rarely set.
  const known = Object.fromEntries(
    Object.entries(rest.properties ?? {}).filter(([each]) => Object.hasOwn({ ...initial }, each)),
  )
  const input = { ...rest, properties: { ...known, ...rest.properties } }
  // Examples are about other things than what the page is about.
  const examples = fixed === NOTHING ? operation.examples : []
  const [value, setValue] = useState<Record<string, unknown>>(() => ({ ...defaultsOf(input), ...initial }))
  const [version, setVersion] = useState(0)
  const [outcome, setOutcome] = useState<Outcome>()
  const [progress, setProgress] = useState<string>()
  const isRunning = progress !== undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (destructive && !confirm(`“${operation.summary}” cannot be undone. Continue?`)) return
    setProgress('Running …')
    setOutcome(undefined)
    try {
      const result = await call(
        name,
        { ...value, ...fixed },
        {
          onProgress: ({ done, total, message }) =>
            setProgress([message, total === undefined ? `${done}` : `${done} of ${total}`].filter(Boolean).join(': ')),
        },
      )
      setOutcome({ result })
      onDone?.(result)
    } catch (error) {
      setOutcome({ error })
    } finally {
      setProgress(undefined)
    }
  }
  const fill = (example: unknown) => {
    setValue({ ...(example as Record<string, unknown>) })
    // Inputs that keep what was typed begin anew.
    setVersion((before) => before + 1)
  }
  const errors = outcome && 'error' in outcome ? formErrors(outcome.error) : {}
  return (
    <div className="columns">
      <form className="card" onSubmit={submit} aria-label={`Run ${name}`}>
        {examples.length > 0 && (
          <div className="examples">
            <span className="faint">Examples:</span>
            {examples.map(({ title, input: example }) => (
              <button key={title} type="button" className="small" onClick={() => fill(example)}>
                {title}
              </button>
            ))}
          </div>
        )}
        <div key={version} className="fields">
          <SchemaForm schema={input} value={value} onChange={setValue} errors={errors} />
        </div>
        <button type="submit" className={destructive ? 'danger' : 'primary'} disabled={isRunning}>
          {access === 'read' ? 'Show' : 'Run'}
        </button>
        {isRunning && <span role="status">{progress}</span>}
      </form>
      <section className="card" aria-label="Result">
        <h2>Result</h2>
        {outcome === undefined && <p className="faint">The result appears here.</p>}
        {outcome && 'error' in outcome && <Failure title="The operation failed" error={outcome.error} />}
        {outcome && 'result' in outcome && <JsonView value={outcome.result} label="Result" />}
      </section>
    </div>
  )
}
