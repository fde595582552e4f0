import { MergeView } from '@codemirror/merge'
import { useEffect, useRef } from 'react'
import { reading, templateView } from './extensions.ts'

export interface DiffViewProps {
  readonly before: string
  readonly after: string
  /** What the two are, for readers that cannot see them. */
  readonly labels: readonly [before: string, after: string]
}

export function DiffView({ before, after, labels }: DiffViewProps) {
  const element = useRef<HTMLDivElement>(null)
  const [from, to] = labels
  useEffect(() => {
    if (!element.current) return
    const view = new MergeView({
      parent: element.current,
      a: { doc: before, extensions: [templateView(from), reading] },
      b: { doc: after, extensions: [templateView(to), reading] },
      collapseUnchanged: { margin: 3, minSize: 6 },
    })
    return () => view.destroy()
  }, [before, after, from, to])
  return <div ref={element} className="diff" />
}
