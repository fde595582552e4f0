import { lazy, Suspense } from 'react'
import type { DiffViewProps } from './diff-view.tsx'
import type { EditorViewProps } from './editor-view.tsx'

const EditorView = lazy(async () => ({ default: (await import('./editor-view.tsx')).CodeEditor }))
const MergeView = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }))

/** An editor for templates; loaded with the first one. */
export function Editor(props: EditorViewProps) {
  return (
    <Suspense fallback={<p role="status">Loading the editor …</p>}>
      <EditorView {...props} />
    </Suspense>
  )
}

/** Two texts side by side, with what differs. */
export function Diff(props: DiffViewProps) {
  return (
    <Suspense fallback={<p role="status">Comparing …</p>}>
      <MergeView {...props} />
    </Suspense>
  )
}
