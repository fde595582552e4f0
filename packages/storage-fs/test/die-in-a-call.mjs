// @ts-check
// Loaded into processes that write to a store: each kills itself inside a random one of the calls that change the disk,
// in the middle of a journal record, between journal and files, or while it repairs what another one left behind.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const names = [
  'writeSync',
  'writeFileSync',
  'fdatasyncSync',
  'fsyncSync',
  'ftruncateSync',
  'renameSync',
  'mkdirSync',
  'rmSync',
  'unlinkSync',
]

if (process.argv[1]?.endsWith('writer.mjs')) {
  const patched = /** @type {Record<string, any>} */ (/** @type {unknown} */ (fs))
  // Now and then very early, when the store is being opened and a crash of somebody else repaired; mostly before the parent kills it.
  let left = Math.floor(Math.random() * (Math.random() < 0.3 ? 30 : 300))
  for (const name of names) {
    const original = patched[name]
    patched[name] = (/** @type {any[]} */ ...values) => {
      left -= 1
      if (left > 0 || values[0] === 1) return original(...values)
      if (name === 'writeSync' && Buffer.isBuffer(values[1])) {
        original(values[0], values[1], values[2], Math.floor(values[3] / 2), values[4])
      } else if (Math.random() < 0.5) original(...values)
      process.kill(process.pid, 'SIGKILL')
      for (;;);
    }
  }
  syncBuiltinESMExports()
}
