import { useCall } from '../../data/use-call.ts'
import { Unready } from '../../parts/unready.tsx'

interface Section {
  readonly title: string
  readonly text: string
}

/** What an agent would be told of a workspace, section by section: identity, boundary, rules, memory, skills. */
export function ContextView({ id }: { readonly id: string }) {
  const { data, error } = useCall<{ context: string }>('workspaces.context', { workspace: id }, { fromFiles: true })
  if (!data) return <Unready error={error} what="The context" />
  return (
    <div className="card">
      <p className="faint">An agent gets these {count(data.context)} before its prompt.</p>
      {sectionsOf(data.context).map(({ title, text }) => (
        <details key={title} open>
          <summary>
            {title} <span className="faint">{count(text)}</span>
          </summary>
          <p className="text code">{text}</p>
        </details>
      ))}
    </div>
  )
}

function count({ length }: string): string {
  return `${length.toLocaleString()} characters`
}

/** The parts below the headings of the second level. */
function sectionsOf(context: string): readonly Section[] {
  return context.split(/^(?=## )/m).flatMap((part) => {
    const [, title = '', text = ''] = /^#+ (.*)\n?([\s\S]*)$/.exec(part) ?? [part, 'Introduction', part]
    return text.trim() === '' ? [] : [{ title, text: text.trim() }]
  })
}
