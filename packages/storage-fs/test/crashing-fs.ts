import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** What a process cannot do any more once it is dead: everything that changes the disk. */
const CHANGING = [
  'openSync',
  'writeSync',
  'writeFileSync',
  'fdatasyncSync',
  'fsyncSync',
  'ftruncateSync',
  'renameSync',
  'mkdirSync',
  'rmSync',
  'unlinkSync',
  'fsync',
] as const

type Call = (...values: unknown[]) => unknown

class Crash extends Error {}

/**
 * Lets the process "die" at the nth call that changes the disk: that call fails, a write after its first half, and so
 * does every later one. Returns how many calls there were.
 */
export async function crashAt(n: number, work: () => Promise<void>): Promise<{ calls: number; crashed: boolean }> {
  const patched = fs as unknown as Record<string, Call>
  const originals = CHANGING.map((name) => [name, patched[name] as Call] as const)
  let calls = 0
  for (const [name, original] of originals) {
    patched[name] = (...values) => {
      // Opening for reading changes nothing.
      if (name === 'openSync' && (values[1] === 'r' || values[1] === undefined || isReading(values[1])))
        return original(...values)
      calls += 1
      if (calls < n) return original(...values)
      if (calls === n) doHalf(name, original, values)
      const crash = new Crash(`${name}, call ${n}`)
      if (name !== 'fsync') throw crash
      return (values[1] as (error: Error) => void)(crash)
    }
  }
  syncBuiltinESMExports()
  try {
    await work()
    return { calls, crashed: false }
  } catch (error) {
    if (!(error instanceof Crash)) throw error
    return { calls, crashed: true }
  } finally {
    for (const [name, original] of originals) patched[name] = original
    syncBuiltinESMExports()
  }
}

function isReading(flags: unknown): boolean {
  return typeof flags === 'number' && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0
}

function doHalf(name: string, original: Call, values: unknown[]): void {
  if (name === 'writeSync') {
    const [file, buffer, offset, length, position] = values as [number, Buffer, number, number, number]
    original(file, buffer, offset, Math.floor(length / 2), position)
  }
  if (name === 'writeFileSync') {
    const [file, content, ...rest] = values
    original(file, String(content).slice(0, String(content).length / 2), ...rest)
  }
}
