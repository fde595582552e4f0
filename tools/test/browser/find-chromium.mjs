// @ts-check
// `node tools/test/browser/find-chromium.mjs` prints the path, so that a cached result does not outlive the browser.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { argv, env } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * The Chromium of this machine; undefined where there is none.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter)]
  const candidates = folders.flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
  )
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

if (argv[1] === fileURLToPath(import.meta.url)) console.log(findChromium() ?? 'none')
