import { lazy, Suspense } from 'react'
import type { GraphViewProps } from './graph-view.tsx'

const GraphView = lazy(async () => ({ default: (await import('./graph-view.tsx')).GraphView }))

/** A graph of anything; what draws it is loaded with the first one. */
export function Graph(props: GraphViewProps) {
  return (
    <Suspense fallback={<p role="status">Drawing …</p>}>
      <GraphView {...props} />
    </Suspense>
  )
}
