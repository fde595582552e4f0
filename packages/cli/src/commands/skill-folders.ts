import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { messageOf } from '@minions/core'
import { describeIssues, type Issue } from '@minions/core/schema'
import { isAgentSkill, lockSkills, readAgentSkill, writeAgentSkill } from '@minions/skills-runtime'
import { FROM, withSkills } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { confirm } from '../input/confirm.js'
import { print, printTable } from '../output/output.js'
import { writeWhole } from '../output/write-file.js'
import { addCommand, type Command } from '../program/command.js'
import { given } from '../program/options.js'

interface Verdict {
  readonly folder: string
  readonly valid: boolean
  readonly problems: readonly Issue[]
}

/** Commands on folders of the Agent Skills standard. */
export function registerSkillFolders(group: Command, cli: Cli): void {
  addCommand(group, 'validate', 'check folders with a SKILL.md by the Agent Skills standard')
    .examples('skills validate .claude/skills')
    .argument('<folder>', 'one skill, or a folder of them')
    .action(async (folder) => {
      const verdicts: Verdict[] = []
      for (const each of await skillFolders(resolve(cli.cwd, folder))) verdicts.push(await verdict(cli, each))
      if (verdicts.some(({ valid }) => !valid)) cli.exitCode = 1
      printTable(cli, verdicts, 'No folder with a SKILL.md.', {
        skill: 'folder',
        valid: (row) => (row.valid ? 'yes' : 'no'),
        problems: (row) => describeIssues(row.problems, 'SKILL.md'),
      })
    })
  addCommand(group, 'export', 'write a skill as a folder of the Agent Skills standard')
    .examples('skills export navigate ./.agents/skills')
    .worksWithoutStore()
    .argument('<name>')
    .argument('<folder>', 'the folder in which to create the folder of the skill')
    .option(...FROM)
    .option('--version <version>', 'default: the highest')
    .on(cli, withSkills, async (api, name, folder, options) => {
      const skill = api.registry.getSkill(name, options.version)
      const { name: folderName, files, missing } = writeAgentSkill(skill)
      const target = join(resolve(cli.cwd, folder), folderName)
      if (existsSync(target))
        throw cliError('FILE_UNWRITABLE', `${target} already exists; remove it, or export elsewhere.`)
      for (const [path, text] of files) {
        await mkdir(dirname(join(target, path)), { recursive: true })
        await writeWhole(cli, join(target, path), [text])
      }
      const result = {
        folder: target,
        files: [...files.keys()],
        ...given({ missing: missing.length > 0 ? missing : undefined }),
      }
      const remaining = missing.length === 0 ? '' : `\nNot in the store, so copy them yourself: ${missing.join(', ')}`
      print(cli, result, () => `${target}${remaining}`)
    })
  addCommand(group, 'lock', 'accept the skills of a folder as they are; changed ones are refused from then on')
    .examples('skills lock .claude/skills --yes')
    .argument('<folder>')
    .action(async (folder) => {
      const dir = resolve(cli.cwd, folder)
      const { text, differences } = await lockSkills(dir)
      const lines = Object.entries(differences).flatMap(([what, paths]) =>
        paths.map((path: string) => `${what} ${path}`),
      )
      if (lines.length > 0) {
        if (!cli.options.json) cli.stderr.write(`${lines.join('\n')}\n`)
        await confirm(cli, `Accept ${lines.length} ${lines.length === 1 ? 'file' : 'files'} in ${folder}?`)
        await writeWhole(cli, join(dir, 'skills.lock'), [text])
      }
      print(cli, differences, () => (lines.length === 0 ? 'Nothing has changed.' : `${folder} is locked.`))
    })
}

async function verdict(cli: Cli, folder: string): Promise<Verdict> {
  const where = relative(cli.cwd, folder) || '.'
  try {
    const read = await readAgentSkill(folder)
    const problems = isAgentSkill(read) ? [] : read
    return { folder: where, valid: problems.length === 0, problems }
  } catch (error) {
    const problem = { pointer: '', code: 'UNREADABLE', message: `cannot be read: ${messageOf(error)}` }
    return { folder: where, valid: false, problems: [problem] }
  }
}

/** The folder itself when it is a skill, otherwise those directly in it. */
async function skillFolders(folder: string): Promise<string[]> {
  if (isSkillFolder(folder)) return [folder]
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw cliError('FILE_UNREADABLE', `${folder} cannot be read as a folder.`, { cause })
  })
  const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
  const found = folders
    .sort()
    .map((name) => join(folder, name))
    .filter(isSkillFolder)
  if (found.length > 0) return found
  throw cliError('NOT_FOUND', `${folder} has no SKILL.md, and none of its folders has one.`)
}

function isSkillFolder(folder: string): boolean {
  return ['SKILL.md', 'skill.md'].some((file) => existsSync(join(folder, file)))
}
