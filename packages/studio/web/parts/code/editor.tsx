import { lazily } from '../lazily.tsx'
import type { DiffViewProps } from './diff-view.tsx'
import type { EditorViewProps } from './editor-view.tsx'

/** An editor for templates; loaded with the first one. */
export const Editor = lazily<EditorViewProps>(
  async () => (await import('./editor-view.tsx')).CodeEditor,
  'Loading the editor …',
)

/** Two texts side by side, with what differs. */
export const Diff = lazily<DiffViewProps>(async () => (await import('./diff-view.tsx')).DiffView, 'Comparing …')
