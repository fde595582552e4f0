interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Replaces the content under a heading with bullets, or adds the section at the end. The text is treated as bytes
 * (Latin-1), so that everything outside the section is preserved, whatever its encoding. A section ends at the next
 * heading.
 */
export function upsertSection(bytes: string, heading: string, bullets: readonly string[]): string {
  const eol = /\r?\n/.exec(bytes)?.[0] ?? '\n'
  const list = bullets.map((bullet) => `- ${bullet}${eol}`).join('')
  const body = findBody(bytes, heading)
  if (body) {
    const open = body.start > 0 && bytes[body.start - 1] !== '\n' && list !== '' ? eol : ''
    return bytes.slice(0, body.start) + open + list + bytes.slice(body.end)
  }
  const gap = bytes === '' ? '' : bytes.endsWith('\n') ? eol : eol + eol
  return `${bytes}${bytes.endsWith(eol + eol) ? '' : gap}## ${heading}${eol}${list}`
}

/** The range between the heading and the last line of the section that is not blank. */
function findBody(bytes: string, heading: string): Span | undefined {
  let start = -1
  let end = -1
  let previous: Line | undefined
  for (const line of lines(bytes)) {
    const title = line.fenced ? undefined : headingOf(line.text)
    if (start >= 0 && title !== undefined) break
    if (start >= 0 && !line.fenced && isUnderline(line.text, previous)) {
      // The previous line was a heading all along.
      end = previous?.before ?? start
      break
    }
    if (start < 0 && title === heading && isSection(line.text)) {
      start = line.end
      end = line.end
    } else if (start >= 0 && line.text.trim() !== '') {
      line.before = end
      end = line.end
    }
    previous = line
  }
  return start < 0 ? undefined : { start, end }
}

interface Line {
  readonly text: string
  readonly end: number
  readonly fenced: boolean
  /** Where the body ended before this line was added to it. */
  before?: number
}

/** The lines of a text, and whether each is in a fenced code block, where nothing is a heading. */
function* lines(text: string): Generator<Line> {
  let fence = ''
  for (const match of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const line = match[0].replace(/\r?\n$/, '')
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const closes = fence !== '' && mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === ''
    const opens = fence === '' && mark !== null
    yield { text: line, end: match.index + match[0].length, fenced: fence !== '' || opens }
    if (opens) fence = mark?.[1] as string
    else if (closes) fence = ''
  }
}

/** The text of a heading such as `## Facts ##`, or `undefined` for any other line. */
function headingOf(line: string): string | undefined {
  const marks = /^ {0,3}#{1,6}(?=[ \t]|$)/.exec(line)?.[0]
  if (marks === undefined) return undefined
  const title = line.slice(marks.length).trim()
  return title.replace(/(?:^|[ \t])#+$/, '').trim()
}

/** The first level is the title of the document, not a section. */
function isSection(line: string): boolean {
  return /^ {0,3}##/.test(line)
}

/** True if a line makes the previous one a heading by underlining it. */
function isUnderline(line: string, previous: Line | undefined): boolean {
  if (!/^ {0,3}(=+|-{2,})[ \t]*$/.test(line) || !previous || previous.fenced) return false
  return previous.text.trim() !== '' && !/^\s*([-*+>#]|\d+[.)])/.test(previous.text)
}
