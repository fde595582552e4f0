// Makes data/dir a directory and a symlink out in turns for a while, at least so often that it counts on a busy machine, and
// prints how often: swap-symlink.mjs <data> <outside>
import { mkdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

const [data, outside] = process.argv.slice(2)
const location = join(data, 'dir')
const attempt = (step) => {
  try {
    step()
    return 1
  } catch {
    return 0
  }
}
let links = 0
for (const end = Date.now() + 1500; Date.now() < end || links <= 100; ) {
  attempt(() => mkdirSync(location))
  attempt(() => rmSync(location, { recursive: true, force: true }))
  links += attempt(() => symlinkSync(outside, location))
  attempt(() => unlinkSync(location))
}
process.stdout.write(String(links))
