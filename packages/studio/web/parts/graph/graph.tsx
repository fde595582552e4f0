import { lazily } from '../lazily.tsx'
import type { GraphViewProps } from './graph-view.tsx'

/** A graph of anything; what draws it is loaded with the first one. */
export const Graph = lazily<GraphViewProps>(async () => (await import('./graph-view.tsx')).GraphView, 'Drawing …')
