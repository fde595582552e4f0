import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** A call that changes the disk or flushes it; `path` is the file, also of calls that are given a descriptor. */
export interface RecordedCall {
  readonly name: string
  readonly path: string
}

const RECORDED = ['writeSync', 'writeFileSync', 'fdatasyncSync', 'fsyncSync', 'renameSync', 'unlinkSync'] as const

type Call = (...values: unknown[]) => unknown

/** Notes the calls that are made while work runs, in order. */
export async function recordCalls(work: () => Promise<unknown>): Promise<readonly RecordedCall[]> {
  const patched = fs as unknown as Record<string, Call>
  const originals = RECORDED.map((name) => [name, patched[name] as Call] as const)
  const calls: RecordedCall[] = []
  for (const [name, original] of originals) {
    patched[name] = (...values) => {
      // A renamed file is known by its new name.
      const [file, target] = values
      calls.push({ name, path: name === 'renameSync' ? String(target) : pathOf(file) })
      return original(...values)
    }
  }
  syncBuiltinESMExports()
  try {
    await work()
    return calls
  } finally {
    for (const [name, original] of originals) patched[name] = original
    syncBuiltinESMExports()
  }
}

function pathOf(file: unknown): string {
  return typeof file === 'number' ? fs.readlinkSync(`/proc/self/fd/${file}`) : String(file)
}
