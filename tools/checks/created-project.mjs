// @ts-check
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'

/**
 * Creates a project with the packed `create-minions`, inside a project where all our packages are installed, and runs its
 * program and its test.
 *
 * @param {string} project
 * @returns {string[]} what went wrong
 */
export function createdProjectProblems(project) {
  const created = join(project, 'created')
  const steps = [
    { cwd: project, args: ['node_modules/create-minions/bin/create-minions.js', 'created', '--yes', '--no-install'] },
    { cwd: created, args: ['src/main.mjs'] },
    { cwd: created, args: ['--test', 'test/app.test.mjs'] },
  ]
  for (const { cwd, args } of steps) {
    const { status, stdout, stderr } = spawnSync(execPath, args, { cwd, env, encoding: 'utf8' })
    if (status !== 0) return [`a project that create-minions created fails at ${args.join(' ')}:\n${stdout}${stderr}`]
  }
  return []
}
