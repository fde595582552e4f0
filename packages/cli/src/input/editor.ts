import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRecord } from '@minions/core/json'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { UsageError } from '../program/usage-error.js'

/**
 * Opens `$VISUAL` or `$EDITOR` on a text and returns what was saved; undefined if nothing was changed. A file that
 * could not be used is kept, so that nothing typed is lost.
 */
export async function edit<T>(
  cli: Cli,
  name: string,
  before: string,
  read: (text: string) => T | Promise<T>,
): Promise<T | undefined> {
  if (cli.options.json) throw new UsageError('--edit and --json are mutually exclusive')
  const folder = await mkdtemp(join(tmpdir(), 'minions-edit-'))
  const file = join(folder, name)
  await writeFile(file, before, { mode: 0o600 })
  let isKept = false
  const work = async () => {
    await openEditor(cli, file)
    const after = await readFile(file, 'utf8')
    if (after === before) return undefined
    isKept = true
    const result = await read(after)
    isKept = false
    return result
  }
  try {
    return await cli.guarded(async () => {
      if (!isKept) await rm(folder, { recursive: true, force: true })
    }, work)
  } catch (error) {
    if (isKept) cli.stderr.write(`Your text is kept in ${file}\n`)
    throw error
  }
}

/** The same for an object, which is edited as YAML. */
export async function editObject<T>(
  cli: Cli,
  name: string,
  before: { readonly value: Readonly<Record<string, unknown>>; readonly comment: string },
  use: (value: Record<string, unknown>) => Promise<T>,
): Promise<T | undefined> {
  const { parse, stringify } = await import('yaml')
  const text = `${before.comment.replace(/^/gm, '# ')}\n${stringify(before.value, { lineWidth: 0 })}`
  return edit(cli, `${name}.yaml`, text, (after) => {
    let value: unknown
    try {
      value = parse(after)
    } catch (cause) {
      throw cliError('VALIDATION_FAILED', `Your text is not YAML: ${(cause as Error).message}`, { cause })
    }
    if (!isRecord(value)) throw cliError('VALIDATION_FAILED', 'Your text must be names with values, one per line.')
    return use({ ...value })
  })
}

async function openEditor(cli: Cli, file: string): Promise<void> {
  const chosen = cli.env.VISUAL || cli.env.EDITOR
  if (!chosen && !cli.stdin.isTTY) {
    throw cliError('EDITOR_FAILED', 'There is no terminal for an editor; set EDITOR to a program that needs none.')
  }
  const editor = chosen || (process.platform === 'win32' ? 'notepad' : 'vi')
  // The setting may have arguments, such as `code --wait`, so a shell parses it.
  const command = `${editor} ${process.platform === 'win32' ? `"${file}"` : `'${file}'`}`
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: 'inherit' })
    const failed = (why: string) =>
      reject(cliError('EDITOR_FAILED', `The editor "${editor}" ${why}; set EDITOR to one that works.`))
    child.on('error', ({ message }) => failed(`could not be started: ${message}`))
    child.on('exit', (code) => (code === 0 ? resolve() : failed(`ended with ${code ?? 'a signal'}`)))
  })
}
