import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editing, reading, templateView } from './extensions.ts'

/** Something that is wrong with the text; lines and columns count from 1. */
export interface Problem {
  readonly message: string
  readonly line?: number
  readonly column?: number
  /** A warning does not keep the text from being used. */
  readonly isWarning?: boolean
  /** The variable it is about, marked wherever the text uses it. */
  readonly variable?: string
}

export interface EditorViewProps {
  readonly label: string
  /** The text that it begins with. */
  readonly initial: string
  readonly onChange: (text: string) => void
  readonly problems?: readonly Problem[] | undefined
  /** Names that are offered behind `{{`. */
  readonly variables?: readonly string[] | undefined
  /** The text can be read, not changed. */
  readonly isReadOnly?: boolean
}

export function CodeEditor({
  label,
  initial,
  onChange,
  problems = [],
  variables = [],
  isReadOnly = false,
}: EditorViewProps) {
  const element = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onChange, variables })
  latest.current = { onChange, variables }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own text once it is there
  useEffect(() => {
    if (!element.current) return
    const complete = (context: CompletionContext) => {
      const word = context.matchBefore(/\{\{\w*/)
      if (!word) return null
      const options = latest.current.variables.map((name) => ({ label: `{{${name}}}`, type: 'variable' }))
      return { from: word.from, options }
    }
    const editor = new EditorView({
      parent: element.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          templateView(label),
          isReadOnly ? reading : editing,
          autocompletion({ override: [complete] }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    editor.dispatch(
      setDiagnostics(
        editor.state,
        problems.flatMap((problem) => diagnosticsOf(editor.state, problem)),
      ),
    )
  }, [problems])
  return <div ref={element} className="editor" />
}

function diagnosticsOf(state: EditorState, problem: Problem): Diagnostic[] {
  const { message, isWarning, variable, line } = problem
  const severity = isWarning ? 'warning' : 'error'
  if (variable !== undefined) return usesOf(state, variable).map((span) => ({ ...span, severity, message }))
  // What a warning without a line is about is not in the text.
  return isWarning && line === undefined ? [] : [{ ...spanOf(state, problem), severity, message }]
}

function usesOf(state: EditorState, variable: string): { from: number; to: number }[] {
  const tags = state.doc.toString().matchAll(new RegExp(`\\{\\{[^{}]*\\b${variable}\\b[^{}]*\\}\\}`, 'g'))
  return [...tags].map(({ index, 0: tag }) => ({ from: index, to: index + tag.length }))
}

function spanOf(state: EditorState, { line = 1, column = 1 }: Problem): { from: number; to: number } {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
  const from = Math.min(at.from + column - 1, at.to)
  return { from, to: Math.min(from + 1, state.doc.length) }
}
