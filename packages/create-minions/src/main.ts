import { spawnSync } from 'node:child_process'
import { type Arguments, readArguments, USAGE, UsageError } from './arguments.js'
import { complete, terminal } from './complete.js'
import { dependenciesOf } from './project/dependencies.js'
import { projectFiles } from './project/project-files.js'
import { writeProject } from './write-project.js'

/** Creates a project from a command line, and resolves to the exit code: 1 if npm failed, 2 for a usage error. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const given = readArguments(argv)
    if (given.help) process.stdout.write(USAGE)
    return given.help ? 0 : await create(given)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`create-minions: ${error.message}\n`)
    return 2
  }
}

async function create(given: Arguments): Promise<number> {
  const asks = !given.yes && Boolean(process.stdin.isTTY && process.stdout.isTTY)
  const user = asks ? terminal() : undefined
  try {
    const choices = await complete(given, user?.ask)
    const folder = writeProject(given.folder ?? choices.name, projectFiles(choices))
    const install = ['install', ...dependenciesOf(choices)]
    process.stdout.write(`Created ${folder}\n`)
    if (given.install && !installed(folder, install)) return 1
    const steps = [`cd ${given.folder ?? choices.name}`, ...(given.install ? [] : [`npm ${install.join(' ')}`])]
    const studio = choices.storage === 'memory' ? [] : ['npm run studio']
    process.stdout.write(
      `\nNext:\n${[...steps, 'npm start', ...studio, 'npm test'].map((step) => `  ${step}\n`).join('')}`,
    )
    return 0
  } finally {
    user?.close()
  }
}

function installed(folder: string, args: readonly string[]): boolean {
  // On Windows npm is a batch file, which needs a shell; no argument of ours comes from the user.
  const { status } = spawnSync('npm', [...args], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.stderr.write(`create-minions: npm failed; run "npm ${args.join(' ')}" in ${folder}.\n`)
  return status === 0
}
