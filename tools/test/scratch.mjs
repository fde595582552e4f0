// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A folder with the given files that lives as long as the test.
 *
 * @param {Record<string, string | object>} files text, or a value written as JSON, by relative path
 * @returns {string} its path
 */
export function scratchFolder(files) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}
