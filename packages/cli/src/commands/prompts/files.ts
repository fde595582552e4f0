import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isMinionsError } from '@minions/core'
import type { ExportersErrorCode, FileChange, TextFile } from '@minions/exporters'
import { isSystemError } from '@minions/files'
import { PromptDiff } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { note, print } from '../../output/output.js'
import { writeWhole } from '../../output/write-file.js'
import { addCommand, type Command } from '../../program/command.js'
import { given } from '../../program/options.js'
import { withPrompts } from './prompts-app.js'

export function registerFiles(prompts: Command, cli: Cli): void {
  addCommand(prompts, 'pull', 'write the latest version of every prompt as a Markdown file; edited files are kept')
    .examples('prompts pull ./prompts')
    .argument('<folder>')
    .on(cli, withPrompts, async (app, folder) => {
      const changes = await said(cli, async () => app.exporters.pull(await filesIn(cli, folder)))
      await writeTexts(cli, folder, changes)
      print(cli, changes, () => textOf(cli, changes, ['created', 'changed', 'edited']) || 'Everything is up to date.')
    })
  addCommand(prompts, 'push', 'create versions from new or edited Markdown files, all or none')
    .examples('prompts push ./prompts --changelog "Kinder" --by ada')
    .createsStore()
    .argument('<folder>')
    .option('--dry-run', 'only show what would change')
    .option('--changelog <text>', 'what the new versions change')
    .option('--by <who>', 'who does it')
    .on(cli, withPrompts, async (app, folder, { dryRun, changelog, by }) => {
      const files = await filesIn(cli, folder)
      const changes = await said(cli, () => app.exporters.push(files, given({ dryRun, changelog, by })))
      await writeTexts(cli, folder, changes)
      print(cli, changes, () => textOf(cli, changes, ['created', 'changed', 'behind']) || 'There is nothing to push.')
    })
}

/** Shows both texts of a prompt that was changed on both sides, before it is refused. */
async function said<T>(cli: Cli, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isMinionsError<ExportersErrorCode>(error, 'FILES_CONFLICT')) {
      const { conflicts } = error.details as { conflicts: { path: string; file: string; store: string }[] }
      for (const { path, file, store } of conflicts) {
        note(cli, `<<<<<<< ${path}\n${file}=======\n${store || '(deleted)\n'}>>>>>>> the store\n`)
      }
    }
    throw error
  }
}

function textOf(cli: Cli, changes: readonly FileChange[], shown: readonly FileChange['change'][]): string {
  return changes
    .filter(({ change }) => shown.includes(change))
    .map(({ path, change, diff }) => {
      const lines = change === 'changed' || change === 'created' ? new PromptDiff().format(diff, cli.isColoured) : ''
      return `${change} ${path}${lines === '' ? '' : `\n${lines}`}`
    })
    .join('\n\n')
}

async function writeTexts(cli: Cli, folder: string, changes: readonly FileChange[]): Promise<void> {
  for (const { path, text } of changes) {
    if (text === undefined) continue
    const file = join(folder, ...path.split('/'))
    await mkdir(resolve(cli.cwd, dirname(file)), { recursive: true })
    await writeWhole(cli, file, text)
  }
}

/** The Markdown files of a folder and its subfolders; none if the folder does not exist yet. */
async function filesIn(cli: Cli, folder: string): Promise<TextFile[]> {
  const root = resolve(cli.cwd, folder)
  const files: TextFile[] = []
  for (const entry of await entriesOf(root)) {
    if (!entry.isFile() || !entry.name.endsWith('.md') || entry.name === 'README.md') continue
    const file = join(entry.parentPath, entry.name)
    files.push({ path: relative(root, file).split(sep).join('/'), text: await readFile(file, 'utf8') })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function entriesOf(root: string) {
  try {
    return await readdir(root, { recursive: true, withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  }
}
