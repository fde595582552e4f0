import { takeList } from '@minions/core/plugin'
import type { DiffLine, DiffResult } from './diff-result.js'
import { diffStructures } from './structure-diff.js'
import { diffWords } from './word-diff.js'

const RED = '\u001B[31m'
const GREEN = '\u001B[32m'
const CYAN = '\u001B[36m'
const INVERSE = '\u001B[7m'
const PLAIN = '\u001B[27m'
const RESET = '\u001B[0m'

const MARKS = { add: '+', remove: '-', context: ' ' } as const
const COLORS = { add: GREEN, remove: RED, context: '' } as const

/** A diff as text, optionally with terminal colours; an empty diff is the empty string. */
export function formatDiff(given: DiffResult, colored = false): string {
  const result = {
    ...given,
    added: takeList('The fields of a diff', given.added),
    removed: takeList('The fields of a diff', given.removed),
    changed: takeList('The fields of a diff', given.changed),
    contentDiff: takeList('The lines of a diff', given.contentDiff),
  }
  const line = (type: DiffLine['type'], text: string): string => paint(COLORS[type], `${MARKS[type]} ${text}`, colored)
  const lines: string[] = []
  // The content of a chat prompt is the text of its messages.
  const isSaid = (field: string) => field === 'messages' && result.contentDiff.length > 0
  for (const { field, value } of result.removed)
    if (!isSaid(field)) lines.push(line('remove', `${field}: ${shown(value)}`))
  for (const { field, value } of result.added) if (!isSaid(field)) lines.push(line('add', `${field}: ${shown(value)}`))
  for (const { field, from, to } of result.changed) {
    if (isSaid(field) || (field === 'content' && result.contentDiff.length > 0)) continue
    lines.push(paint(CYAN, `~ ${field}`, colored))
    const parts = diffStructures(from, to) ?? [
      { type: 'remove', text: shown(from) },
      { type: 'add', text: shown(to) },
    ]
    for (const { type, text } of parts) lines.push(line(type, text))
  }
  if (result.contentDiff.length > 0) {
    const texts = colored ? withWords(result) : result.contentDiff.map(({ text }) => text)
    lines.push(paint(CYAN, '~ content', colored))
    for (const [index, { type }] of result.contentDiff.entries()) lines.push(line(type, texts[index] as string))
  }
  return lines.join('\n')
}

function paint(color: string, text: string, colored: boolean): string {
  return colored && color !== '' ? `${color}${text}${RESET}` : text
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

/** The texts of all lines, with the differing words of a changed line highlighted. */
function withWords(result: DiffResult): string[] {
  const texts = result.contentDiff.map(({ text }) => text)
  for (const { removed, added, parts } of diffWords(result)) {
    texts[removed] = highlight(parts, 'remove')
    texts[added] = highlight(parts, 'add')
  }
  return texts
}

function highlight(parts: readonly DiffLine[], side: 'add' | 'remove'): string {
  return parts
    .filter(({ type }) => type === 'context' || type === side)
    .map(({ type, text }) => (type === side ? `${INVERSE}${text}${PLAIN}` : text))
    .join('')
}
