import { type FormEvent, useDeferredValue, useMemo, useState } from 'react'
import { useCan } from '../../data/operations.ts'
import type { Preview, Prompt, PromptVersion } from '../../data/prompts.ts'
import { contentOf } from '../../data/prompts.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { TextInput } from '../../forms/inputs.tsx'
import { Card } from '../../parts/card.tsx'
import { Editor } from '../../parts/code/editor.tsx'
import { Failure } from '../../parts/failure.tsx'
import { tell } from '../../parts/toasts.tsx'
import { LintList } from './lint-list.tsx'
import { useLint } from './use-lint.ts'
import { VariableInputs, valuesOf } from './variable-inputs.tsx'

export interface PromptEditorProps {
  readonly prompt: Prompt
  readonly latest: PromptVersion
  readonly onSaved: (version: number) => void
}

/** Writes the next version of a prompt, and shows what it says and what is wrong with it while it is written. */
export function PromptEditor({ prompt, latest, onSaved }: PromptEditorProps) {
  const can = useCan()
  const first = contentOf(latest)
  const [content, setContent] = useState(first)
  const [changelog, setChangelog] = useState<unknown>()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const add = useAction<{ fields: { versionNumber?: number } }>('prompts.addVersion')
  const draft = useDeferredValue(content)
  const { messages: stored, settings, responseSchema, variables = [] } = latest.fields
  const isChat = stored !== undefined
  const { data: preview } = useCall<Preview>(
    'prompts.preview',
    { content: draft, variables: valuesOf(typed), ...(isChat && { chat: true }) },
    { keepPrevious: true, enabled: can('prompts.preview') },
  )
  const errors = preview?.problems ?? []
  const findings = useLint(prompt.id, draft, errors.length === 0)
  const problems = useMemo(() => [...errors, ...findings.map(asWarning)], [errors, findings])
  const isChanged = content !== first
  const save = (event: FormEvent) => {
    event.preventDefault()
    const body = isChat ? { messages: preview?.messages } : { content }
    const kept = { ...(settings && { settings }), ...(responseSchema && { responseSchema }) }
    add.mutate(
      { prompt: prompt.id, ...body, ...kept, ...(typeof changelog === 'string' && { changelog }) },
      {
        onSuccess: ({ fields }) => {
          const version = fields.versionNumber ?? latest.version + 1
          tell(`Version ${version} was saved. It is not published yet.`)
          onSaved(version)
        },
      },
    )
  }
  return (
    <div className="columns">
      <form className="card" onSubmit={save} aria-label="Write the next version">
        <h2>Version {latest.version}</h2>
        {isChat && (
          <p className="help">
            A chat prompt: each message stands below a line with its role, such as <code>[system]</code> or{' '}
            <code>[user]</code>, with a blank line before it.
          </p>
        )}
        <Editor
          label="Prompt text"
          initial={first}
          onChange={setContent}
          problems={problems}
          isReadOnly={!can('prompts.addVersion')}
          variables={[...new Set([...variables, ...(preview?.variables ?? [])])]}
        />
        {errors.map(({ message }) => (
          <p key={message} className="field-error" role="alert">
            {message}
          </p>
        ))}
        {can('prompts.addVersion') && (
          <>
            <TextInput
              name="changelog"
              schema={{ type: 'string', label: 'What changed', description: 'Shown in the list of versions.' }}
              value={changelog}
              onChange={setChangelog}
            />
            <Failure title="The version was not saved" error={add.error} />
            <button
              type="submit"
              className="primary"
              disabled={!isChanged || draft !== content || add.isPending || errors.length > 0}
            >
              Save as a new version
            </button>
          </>
        )}
      </form>
      <div>
        <LintList findings={findings} />
        <Card title="Preview">
          <VariableInputs names={preview?.variables ?? []} values={typed} onChange={setTyped} />
          {(preview?.missing.length ?? 0) > 0 && (
            <p className="faint">No value yet for {preview?.missing.join(', ')}; they stay as written.</p>
          )}
          <section className="json" aria-label="Rendered text">
            <p className="text">{preview?.text ?? 'Fix the errors in the text to see the preview.'}</p>
          </section>
        </Card>
      </div>
    </div>
  )
}

function asWarning({ message, variable }: { readonly message: string; readonly variable?: string }) {
  return { message, isWarning: true, ...(variable !== undefined && { variable }) }
}
