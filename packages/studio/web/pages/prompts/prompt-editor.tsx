import { type FormEvent, useDeferredValue, useMemo, useState } from 'react'
import { keepDraft, readDraft } from '../../data/drafts.ts'
import { useCan } from '../../data/operations.ts'
import type { Preview, Prompt, PromptVersion } from '../../data/prompts.ts'
import { contentOf } from '../../data/prompts.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { TextInput } from '../../forms/inputs.tsx'
import { Card } from '../../parts/card.tsx'
import { Editor } from '../../parts/code/editor.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { tell } from '../../parts/toasts.tsx'
import { LintList } from './lint-list.tsx'
import { useLint } from './use-lint.ts'
import { VariableInputs, valuesOf } from './variable-inputs.tsx'

export interface PromptEditorProps {
  readonly prompt: Prompt
  readonly versions: readonly PromptVersion[]
  readonly latest: PromptVersion
  readonly onSaved: (version: number) => void
}

/** A text that is not saved yet. */
interface Draft {
  /** Number of the version that it changes. */
  readonly from: number
  readonly content: string
}

/** Writes the next version of a prompt, and shows what it says and what is wrong with it while it is written. */
export function PromptEditor({ prompt, versions, latest, onSaved }: PromptEditorProps) {
  const can = useCan()
  const draftName = `prompt ${prompt.id}`
  const [draft, setDraft] = useState(() => readDraft<Draft>(draftName))
  const [discarded, setDiscarded] = useState(0)
  const base = versions.find(({ version }) => version === draft?.from) ?? latest
  const content = draft?.content ?? contentOf(base)
  const write = (next: Draft | undefined) => {
    setDraft(next)
    keepDraft(draftName, next)
  }
  const type = (text: string) => write(text === contentOf(base) ? undefined : { from: base.version, content: text })
  const discard = () => {
    write(undefined)
    setDiscarded((before) => before + 1)
  }
  const [changelog, setChangelog] = useState<unknown>()
  const valuesName = `values of ${prompt.id}`
  const [typed, setTyped] = useState(() => readDraft<Readonly<Record<string, string>>>(valuesName) ?? {})
  const add = useAction<{ fields: { versionNumber?: number } }>('prompts.addVersion', () =>
    keepDraft(draftName, undefined),
  )
  const checked = useDeferredValue(content)
  const { messages: stored, settings, responseSchema, variables = [] } = base.fields
  const isChat = stored !== undefined
  const { data: preview, error } = useCall<Preview>(
    'prompts.preview',
    { content: checked, variables: valuesOf(typed), ...(isChat && { chat: true }) },
    { keepPrevious: true, enabled: can('prompts.preview') },
  )
  const errors = preview?.problems ?? []
  const findings = useLint(prompt.id, checked, errors.length === 0)
  const problems = useMemo(() => [...errors, ...findings.map(asWarning)], [errors, findings])
  const isChanged = content !== contentOf(latest)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const body = isChat ? { messages: preview?.messages } : { content }
    const kept = { ...(settings && { settings }), ...(responseSchema && { responseSchema }) }
    add.mutate(
      { prompt: prompt.id, ...body, ...kept, ...(typeof changelog === 'string' && { changelog }) },
      {
        onSuccess: ({ fields }) => {
          const version = fields.versionNumber ?? latest.version + 1
          write(undefined)
          tell(`Version ${version} was saved. It is not published yet.`)
          onSaved(version)
        },
      },
    )
  }
  return (
    <div className="columns">
      <form className="card" onSubmit={save} aria-label="Write the next version">
        <h2>Version {base.version}</h2>
        {base !== latest && (
          <Notice kind="warn" title={`Version ${latest.version} was saved in the meantime`}>
            Your draft is based on version {base.version}. Saving it adds another version after {latest.version}.
          </Notice>
        )}
        {isChat && (
          <p className="help">
            A chat prompt: each message stands below a line with its role, such as <code>[system]</code> or{' '}
            <code>[user]</code>, with a blank line before it.
          </p>
        )}
        <Editor
          key={`${base.id} ${discarded}`}
          label="Prompt text"
          initial={content}
          onChange={type}
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
            <div className="actions">
              <button
                type="submit"
                className="primary"
                disabled={!isChanged || checked !== content || add.isPending || errors.length > 0}
              >
                Save as a new version
              </button>
              {draft && (
                <button type="button" onClick={discard}>
                  Discard the draft
                </button>
              )}
            </div>
          </>
        )}
      </form>
      <div>
        <LintList findings={findings} />
        <Card title="Preview">
          <Failure title="The preview cannot be shown" error={error} />
          {preview && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section className="json" aria-label="Rendered text" tabIndex={0}>
              <p className="text">{preview.text ?? 'Fix the errors in the text to see the preview.'}</p>
            </section>
          )}
          {(preview?.missing.length ?? 0) > 0 && (
            <p className="faint">No value yet for {preview?.missing.join(', ')}; they stay as written.</p>
          )}
          <VariableInputs
            names={preview?.variables ?? []}
            values={typed}
            onChange={(next) => {
              setTyped(next)
              keepDraft(valuesName, next)
            }}
          />
        </Card>
      </div>
    </div>
  )
}

function asWarning({ message, variable }: { readonly message: string; readonly variable?: string }) {
  return { message, isWarning: true, ...(variable !== undefined && { variable }) }
}
