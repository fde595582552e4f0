// @ts-check
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Uses a plugin of a stranger, one file that a configuration names, in a project that has the packages installed: its
 * operation must work from code, through `minions operations run` and as a command of its own, on one store.
 *
 * @param {string} project the folder
 * @returns {string[]} what is wrong
 */
export function foreignPluginProblems(project) {
  const folder = join(project, 'foreign-plugin')
  cpSync(fileURLToPath(new URL('foreign-plugin/', import.meta.url)), folder, { recursive: true })
  const config = { storage: 'sqlite:./visits.db', plugins: ['./visits.mjs'] }
  writeFileSync(join(folder, 'minions.config.json'), JSON.stringify(config))
  const minions = join(project, 'node_modules/.bin/minions')
  return [
    ['run.mjs'],
    [minions, 'operations', 'run', 'visits.count', '--input', '{"page":"/home"}', '--json'],
    [minions, 'visits', 'count', '--page', '/home', '--json'],
  ].flatMap((args, index) => {
    const options = { cwd: folder, env: { ...env, MINIONS_HOME: folder }, timeout: 120_000 }
    const { stdout, stderr } = spawnSync(execPath, args, { ...options, encoding: 'utf8' })
    const isRight = stdout.replace(/\s/g, '') === `{"count":${index + 1},"page":"/home"}`
    return isRight ? [] : [`a foreign plugin does not work with ${args.join(' ')}:\n${stdout}${stderr}`]
  })
}
