import { useCall } from '../../data/use-call.ts'

interface Section {
  readonly title: string
  readonly text: string
}

/** What an agent would be told of a workspace, section by section: identity, boundary, rules, memory, skills. */
export function ContextView({ id }: { readonly id: string }) {
  const { data } = useCall<{ context: string }>('workspaces.context', { workspace: id })
  if (!data) return <p role="status">Loading …</p>
  return (
    <div className="card">
      <p className="faint">{data.context.length.toLocaleString()} characters go before every prompt.</p>
      {sectionsOf(data.context).map(({ title, text }) => (
        <details key={title} open>
          <summary>{title}</summary>
          <p className="text code">{text}</p>
        </details>
      ))}
    </div>
  )
}

/** The parts below the headings of the second level; what stands before the first is the beginning. */
function sectionsOf(context: string): readonly Section[] {
  return context.split(/^(?=## )/m).map((part) => {
    const [, title, text = ''] = /^#+ (.*)\n?([\s\S]*)$/.exec(part) ?? [undefined, 'Beginning', part]
    return { title: title ?? '', text: text.trim() }
  })
}
