import { setOwn } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type DatasetRow, invalid, MAX_ROW, piecesOf, requirePiece, type TextSource } from './dataset-row.js'

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

async function* rowsOf(source: TextSource): AsyncGenerator<Row> {
  const reader = new RowReader()
  for await (const piece of piecesOf(source)) yield* reader.read(requirePiece(piece))
  yield* reader.end()
}

/** Splits text into rows, chunk by chunk. */
class RowReader {
  #cells: string[] = []
  #cell = ''
  #size = 0
  #line = 1
  #begin = 1
  #quoted = false
  /** The cell was quoted, and the closing quote was read. */
  #closed = false
  /** A quote inside quotes: the end, or the first half of a literal one. */
  #quote = false
  #return = false
  #isFirst = true

  #inQuotes(character: string): void {
    if (character === '"') this.#quote = true
    else {
      if (character === '\n') this.#line += 1
      this.#add(character)
    }
  }

  *read(piece: string): Generator<Row> {
    const text = this.#isFirst ? piece.replace(/^\ufeff/, '') : piece
    if (text !== '') this.#isFirst = false
    for (const character of text) {
      if (this.#return && character === '\n') {
        this.#return = false
        continue
      }
      this.#return = false
      if (this.#quoted && !this.#quote) this.#inQuotes(character)
      else if (this.#quote && character === '"') this.#literalQuote()
      else {
        if (this.#quote) this.#closeQuotes()
        if (character === '\n' || character === '\r') {
          this.#return = character === '\r'
          yield this.#row()
        } else this.#plain(character)
      }
    }
  }

  *end(): Generator<Row> {
    if (this.#quote) this.#closeQuotes()
    if (this.#quoted) throw invalid(this.#begin, 'a quote in this row is never closed')
    if (this.#cells.length > 0 || this.#cell !== '' || this.#closed) yield this.#row()
  }

  #literalQuote(): void {
    this.#quote = false
    this.#add('"')
  }

  #closeQuotes(): void {
    this.#quote = false
    this.#quoted = false
    this.#closed = true
  }

  #plain(character: string): void {
    if (character === ',') this.#endCell()
    else if (this.#closed) throw invalid(this.#line, 'text follows a closing quote; double a literal quote')
    else if (character === '"' && this.#cell === '') this.#quoted = true
    else this.#add(character)
  }

  #add(character: string): void {
    this.#cell += character
    this.#size += character.length
    if (this.#size > MAX_ROW)
      throw invalid(this.#begin, `the row is longer than ${MAX_ROW} characters; is a quote open?`)
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#closed = false
  }

  #row(): Row {
    this.#endCell()
    const row = { line: this.#begin, cells: this.#cells }
    this.#cells = []
    this.#size = 0
    this.#line += 1
    this.#begin = this.#line
    return row
  }
}
