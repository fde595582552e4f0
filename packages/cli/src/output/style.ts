import { screen } from './screen.js'

/** The meaning of a text, shown by its colour at a terminal. */
export type Style = 'heading' | 'good' | 'bad' | 'waiting' | 'faint'

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  heading: [1, 22],
  good: [32, 39],
  bad: [31, 39],
  waiting: [33, 39],
  faint: [2, 22],
}

/** A text in the colour of its style, if the screen has colours. */
export function styled(style: Style | undefined, text: string, isColoured = screen().isColoured): string {
  if (style === undefined || !isColoured || text === '') return text
  const [on, off] = CODES[style]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Words for states of all kinds of records. */
const STATES: ReadonlyMap<string, Style> = new Map(
  Object.entries({
    good: 'active completed complete done approved approved_with_edits allow allowed passed published applied valid ok yes healthy',
    bad: 'failed deleted rejected deny denied cancelled error critical invalid refused expired revoked damaged unhealthy',
    waiting:
      'running pending in_progress todo paused waiting draft queued changes_requested on_hold high interrupted stale',
  } satisfies Partial<Record<Style, string>>).flatMap(([style, words]) =>
    words.split(' ').map((word): [string, Style] => [word, style as Style]),
  ),
)

/** The style of a state: good, bad or waiting; undefined for any other. */
export function stateStyle(text: string): Style | undefined {
  return STATES.get(text.toLowerCase())
}
