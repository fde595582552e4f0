// @ts-check
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { copyRepository } from '../copy-repository.mjs'
import { listPackages, root } from '../packages.mjs'

/**
 * A copy of the repository that can be built without an installation: other people's packages are linked to the installed
 * ones, and ours to the copy, so that nothing in it reads or writes the repository.
 *
 * @param {string} copy an empty folder
 */
export function scratchCopy(copy) {
  copyRepository(copy)
  const packages = listPackages()
  const ours = new Set(['@minions', ...packages.map(({ name }) => name)])
  linkModules(root, copy, ours)
  for (const { name, path } of packages) {
    linkModules(join(root, path), join(copy, path), ours)
    link(join(copy, path), join(copy, 'node_modules', name))
  }
}

/** @param {string} from a folder with installed packages, or without @param {string} to @param {Set<string>} ours */
function linkModules(from, to, ours) {
  for (const name of installed(join(from, 'node_modules'))) {
    if (name.startsWith('.vite') || ours.has(name)) continue
    link(join(from, 'node_modules', name), join(to, 'node_modules', name))
  }
}

/** @param {string} folder */
function installed(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** @param {string} target @param {string} place */
function link(target, place) {
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(relative(dirname(place), target), place)
}
