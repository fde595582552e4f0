import { type FormEvent, useDeferredValue, useState } from 'react'
import { useCan } from '../../data/operations.ts'
import { contentOf, type Preview, type Prompt, type PromptVersion } from '../../data/prompts.ts'
import { describeError } from '../../data/query-client.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { TextInput } from '../../forms/inputs.tsx'
import { Card } from '../../parts/card.tsx'
import { Editor } from '../../parts/code/editor.tsx'
import { Notice } from '../../parts/notice.tsx'
import { tell } from '../../parts/toasts.tsx'
import { LintList } from './lint-list.tsx'
import { VariableInputs, valuesOf } from './variable-inputs.tsx'

export interface PromptEditorProps {
  readonly prompt: Prompt
  readonly latest: PromptVersion
  readonly onSaved: (version: number) => void
}

/** Writes the next version of a prompt, and shows what it says while it is written. */
export function PromptEditor({ prompt, latest, onSaved }: PromptEditorProps) {
  const can = useCan()
  const first = contentOf(latest)
  const [content, setContent] = useState(first)
  const [changelog, setChangelog] = useState<unknown>()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const add = useAction<{ id: string; version?: number; fields: { versionNumber?: number } }>('prompts.addVersion')
  const shown = useDeferredValue(content)
  const { data: preview } = useCall<Preview>(
    'prompts.preview',
    { content: shown, variables: valuesOf(typed) },
    { keepPrevious: true, enabled: can('prompts.preview') },
  )
  const isChat = latest.fields.content === undefined
  const isChanged = content !== first
  const save = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(
      { prompt: prompt.id, content, ...(typeof changelog === 'string' && { changelog }) },
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
        <h2>Text of version {latest.version}</h2>
        {isChat && (
          <Notice kind="plain" title="A prompt of several messages">
            Change it with the form of prompts.addVersion.
          </Notice>
        )}
        <Editor
          label="Text of the prompt"
          initial={first}
          onChange={setContent}
          problems={preview?.problems}
          variables={[...new Set([...(latest.fields.variables ?? []), ...(preview?.variables ?? [])])]}
        />
        {preview?.problems.map(({ message }) => (
          <p key={message} className="field-error" role="alert">
            {message}
          </p>
        ))}
        {can('prompts.addVersion') && !isChat && (
          <>
            <TextInput
              name="What it changes"
              schema={{ type: 'string', description: 'For those who read the versions later.' }}
              value={changelog}
              onChange={setChangelog}
            />
            {add.error && (
              <Notice kind="bad" title="It was not saved">
                {describeError(add.error)}
              </Notice>
            )}
            <button
              type="submit"
              className="primary"
              disabled={!isChanged || add.isPending || (preview?.problems.length ?? 0) > 0}
            >
              Save as a new version
            </button>
          </>
        )}
      </form>
      <div>
        <Card title="What it says">
          <VariableInputs names={preview?.variables ?? []} values={typed} onChange={setTyped} />
          {(preview?.missing.length ?? 0) > 0 && (
            <p className="faint">Without a value: {preview?.missing.join(', ')}. They stay as written.</p>
          )}
          <section className="json" aria-label="Rendered text">
            <p className="text">{preview?.text ?? 'Mend the text to see what it says.'}</p>
          </section>
        </Card>
        <LintList prompt={prompt.id} />
      </div>
    </div>
  )
}
