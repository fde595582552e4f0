/** Words for states, and how each looks. */
const TONES: Readonly<Record<string, string>> = {
  completed: 'good',
  success: 'good',
  succeeded: 'good',
  approved: 'good',
  applied: 'good',
  active: 'good',
  passed: 'good',
  published: 'good',
  used: 'good',
  holds: 'good',
  allow: 'good',
  running: 'live',
  in_progress: 'live',
  applying: 'live',
  pending: 'wait',
  open: 'wait',
  todo: 'wait',
  idle: 'wait',
  paused: 'wait',
  waiting: 'wait',
  not_started: 'wait',
  blocked: 'warn',
  cancelled: 'warn',
  budget_exceeded: 'warn',
  changes_requested: 'warn',
  expired: 'warn',
  failed: 'bad',
  failure: 'bad',
  rejected: 'bad',
  error: 'bad',
  deny: 'bad',
  deleted: 'bad',
}

/** The colour of a state. */
export function toneOf(state: string): string {
  return TONES[state] ?? 'plain'
}

/** A state as a word with a dot; the word alone says it. */
export function Badge({ state }: { readonly state: string }) {
  return <span className={`badge ${toneOf(state)}`}>{state.replaceAll('_', ' ')}</span>
}
