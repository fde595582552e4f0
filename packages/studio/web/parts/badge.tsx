/** Words for states, by how they look. */
const STATES = {
  good: 'completed success succeeded approved applied active passed published used holds allow',
  live: 'running in_progress applying',
  wait: 'pending open todo idle paused waiting not_started',
  warn: 'blocked cancelled budget_exceeded changes_requested expired',
  bad: 'failed failure rejected error deny deleted',
}

const TONES: ReadonlyMap<string, string> = new Map(
  Object.entries(STATES).flatMap(([tone, words]) => words.split(' ').map((word) => [word, tone])),
)

export function toneOf(state: string): string {
  return TONES.get(state) ?? 'plain'
}

/** A state as a word with a dot; the word alone says it. */
export function Badge({ state }: { readonly state: string }) {
  return <span className={`badge ${toneOf(state)}`}>{state.replaceAll('_', ' ')}</span>
}
