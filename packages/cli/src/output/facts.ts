import { oneLine, show } from './cell.js'
import { screen } from './screen.js'
import { stateStyle, styled } from './style.js'
import { isTime, relativeTime } from './times.js'
import { displayWidth, wrap } from './width.js'

/** With fewer columns beside the names, values are printed on their own lines. */
const FEWEST_COLUMNS = 24

/** Names and values, one per line; absent values are omitted, and long values wrap below themselves. */
export function facts(entries: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const names = present.map(([name]) => oneLine(name))
  const width = Math.max(0, ...names.map(displayWidth))
  const { columns } = screen()
  const available = columns === undefined ? undefined : columns - width - 2
  return present
    .map(([name, value], index) => {
      const shown = names[index] ?? ''
      const text = factText(name, value)
      const padding = ' '.repeat(width - displayWidth(shown))
      const label = styled('heading', shown)
      if (available === undefined || displayWidth(text) <= available) return `${label}${padding}  ${tinted(name, text)}`
      if (available < FEWEST_COLUMNS)
        return [label, ...wrap(text, (columns ?? 0) - 2).map((line) => `  ${line}`)].join('\n')
      return `${label}${padding}  ${wrap(text, available).join(`\n${' '.repeat(width + 2)}`)}`
    })
    .join('\n')
}

function factText(name: string, value: unknown): string {
  const text = show(value)
  return screen().isTerminal && isTime(text) && !/cursor/i.test(name) ? `${relativeTime(text)} (${text})` : text
}

function tinted(name: string, text: string): string {
  return /^(status|state|decision)$/i.test(name) ? styled(stateStyle(text), text) : text
}
