import { setOwn } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type DatasetRow, invalid, MAX_ROW, piecesOf, type TextSource } from './dataset-row.js'

/**
 * Reads CSV (RFC 4180) row by row, with column names in the first row. A row is an object of strings. Throws
 * `DATASET_INVALID` with the line. Holds one row in memory at a time.
 */
export const readCsv = guarded('readCsv', readCsvUnchecked, { callsBack: true })

async function* readCsvUnchecked(
  source: TextSource,
): AsyncGenerator<DatasetRow & { readonly columns: readonly string[] }> {
  let columns: readonly string[] | undefined
  for await (const { line, cells } of rowsOf(source)) {
    if (cells.length === 1 && cells[0] === '') continue
    if (!columns) {
      columns = checkedColumns(cells)
      continue
    }
    if (cells.length !== columns.length) {
      throw invalid(line, `it has ${cells.length} cells, but there are ${columns.length} columns`)
    }
    const values: Record<string, string> = {}
    for (const [index, name] of columns.entries()) setOwn(values, name, cells[index] as string)
    yield { line, values, columns }
  }
  if (!columns) throw invalid(1, 'there is no row with column names')
}

function checkedColumns(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  const empty = names.indexOf('')
  if (empty !== -1) throw invalid(1, `column ${empty + 1} has no name`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(1, `the column "${twice}" occurs twice`)
  return names
}

interface Row {
  readonly line: number
  readonly cells: string[]
}

/** Characters that mean nothing, outside quotes and inside. */
const ORDINARY = { plain: /[^",\r\n]+/y, quoted: /[^"\n]+/y } as const

/** Splits text into rows, piece by piece. */
async function* rowsOf(source: TextSource): AsyncGenerator<Row> {
  let cells: string[] = []
  let cell = ''
  /** `quote`: a quote inside quotes, which is the end or the first half of a literal one. */
  let state: 'plain' | 'quoted' | 'quote' = 'plain'
  let size = 0
  let line = 1
  let begin = 1
  let previous = ''
  const add = (text: string) => {
    cell += text
    size += text.length
    if (size > MAX_ROW) throw invalid(begin, `the row is longer than ${MAX_ROW} characters; is a quote open?`)
  }
  const endCell = () => {
    cells.push(cell)
    cell = ''
    state = 'plain'
  }
  const endRow = (): Row => {
    endCell()
    const row = { line: begin, cells }
    cells = []
    size = 0
    line += 1
    begin = line
    return row
  }
  for await (const piece of piecesOf(source)) {
    for (let at = 0; at < piece.length; ) {
      const ordinary = state === 'quote' ? '' : readAt(piece, at, ORDINARY[state])
      if (ordinary !== '') {
        add(ordinary)
        at += ordinary.length
        previous = ''
        continue
      }
      const character = piece[at++] as string
      const endsSameRow = previous === '\r' && character === '\n'
      previous = character
      if (state === 'quoted') {
        if (character === '\n') line += 1
        if (character === '"') state = 'quote'
        else add(character)
      } else if (state === 'quote' && character === '"') {
        state = 'quoted'
        add(character)
      } else if (endsSameRow) continue
      else if (character === '\n' || character === '\r') yield endRow()
      else if (character === ',') endCell()
      else if (state === 'quote') throw invalid(line, 'text follows a closing quote; double a literal quote')
      else if (character === '"' && cell === '') state = 'quoted'
      else add(character)
    }
  }
  if (state === 'quoted') throw invalid(begin, 'a quote in this row is never closed')
  if (cells.length > 0 || cell !== '' || state === 'quote') yield endRow()
}

function readAt(text: string, at: number, pattern: RegExp): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
