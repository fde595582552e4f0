import { read } from '../files/bytes.js'
import { HEAD_BYTES, type LineHead, parseHead } from './line.js'

const NEWLINE = 0x0a
/** Number of bytes per read. */
const CHUNK = 64 * 1024
/** The search ends where a linear read is as fast. */
const NEAR = 4096

/** Lines in part of an open file, found without reading all of it. */
export class LineFile {
  readonly #file: number
  readonly start: number
  readonly end: number

  constructor(file: number, start: number, end: number) {
    this.#file = file
    this.start = start
    this.end = end
  }

  /** Start of the first line whose head is beyond the target; the end if there is none. Heads are sorted. */
  find(isBeyond: (head: LineHead | undefined) => boolean): number {
    let low = this.start
    let high = this.end
    while (high - low > NEAR) {
      const middle = Math.floor((low + high) / 2)
      const line = this.#lineBehind(middle, high)
      if (line < high && !isBeyond(this.headAt(line))) low = line
      else high = middle
    }
    while (low < this.end && !isBeyond(this.headAt(low))) low = this.#lineBehind(low, this.end)
    return low
  }

  headAt(position: number): LineHead | undefined {
    return parseHead(read(this.#file, position, Math.min(this.end, position + HEAD_BYTES)).toString('latin1'))
  }

  /** Start and end of the last complete line; undefined if there is none. */
  last(): { readonly start: number; readonly end: number } | undefined {
    const end = this.#newlineBefore(this.end)
    if (end === undefined) return undefined
    return { start: (this.#newlineBefore(end) ?? this.start - 1) + 1, end: end + 1 }
  }

  /** The lines from a position, without their newlines. */
  *lines(position: number): Generator<string> {
    let rest: Buffer[] = []
    for (let at = position; at < this.end; ) {
      const chunk = read(this.#file, at, Math.min(this.end, at + CHUNK))
      if (chunk.length === 0) return
      at += chunk.length
      let start = 0
      for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, newline)]).toString('utf8')
        rest = []
        start = newline + 1
      }
      rest.push(chunk.subarray(start))
    }
  }

  /** Start of the line after the one at a position; at most `limit`. */
  #lineBehind(position: number, limit: number): number {
    for (let at = position; at < limit; at += CHUNK) {
      const newline = read(this.#file, at, Math.min(limit, at + CHUNK)).indexOf(NEWLINE)
      if (newline >= 0) return at + newline + 1
    }
    return limit
  }

  #newlineBefore(position: number): number | undefined {
    for (let end = position; end > this.start; end -= CHUNK) {
      const from = Math.max(this.start, end - CHUNK)
      const newline = read(this.#file, from, end).lastIndexOf(NEWLINE)
      if (newline >= 0) return from + newline
    }
    return undefined
  }
}
