import { constants, openSync, readSync, writeSync } from 'node:fs'
import { isReadOnly } from '../errors.js'

/** Opens a file, only for reading where it cannot be written. Links are not followed. */
export function openFile(path: string): number {
  const noFollow = constants.O_NOFOLLOW ?? 0
  try {
    return openSync(path, constants.O_RDWR | noFollow)
  } catch (error) {
    if (!isReadOnly(error)) throw error
    return openSync(path, constants.O_RDONLY | noFollow)
  }
}

/** Bytes of a file, fewer at its end. */
export function read(file: number, start: number, end: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, end - start))
  let length = 0
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, start + length)
    if (count === 0) break
    length += count
  }
  return buffer.subarray(0, length)
}

export function writeAll(file: number, bytes: Buffer, position: number): void {
  let written = 0
  while (written < bytes.length) {
    written += writeSync(file, bytes, written, bytes.length - written, position + written)
  }
}
