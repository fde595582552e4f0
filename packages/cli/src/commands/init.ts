import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseStorageUrl } from '@minions/core/storage'
import { CONFIG_FILES } from '@minions/host'
import { absoluteUrl } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { interrupted } from '../input/confirm.js'
import { callAs } from '../output/command-line.js'
import { facts, note, print } from '../output/output.js'
import { writeWhole } from '../output/write-file.js'
import { addCommand, type Command } from '../program/command.js'
import { backendFromUrl } from '../store/backend.js'

const FILE = 'minions.config.json'
const DEFAULT = 'sqlite:./minions.db'

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'init')
    .argument('[folder]', 'the folder (default: the working directory)')
    .note(`Commands that run in the folder use its ${FILE}.`)
    .examples('init', 'init ./crm --storage postgres://localhost/crm --plugin @minions/audit-log')
    .action((folder) => init(cli, folder ?? '.'))
}

async function init(cli: Cli, given: string): Promise<void> {
  const folder = resolve(cli.cwd, given)
  const found = CONFIG_FILES.find((name) => existsSync(join(folder, name)))
  if (found !== undefined) {
    throw cliError('FILE_UNWRITABLE', `${join(given, found)} already exists; change it, or see: minions config show`)
  }
  const storage = cli.options.storage ?? (cli.isInteractive ? await askForStorage(cli) : DEFAULT)
  // A store that cannot be opened is refused now.
  await backendFromUrl(cli, absoluteUrl(storage, folder))
  const { plugin: plugins = [] } = cli.options
  await mkdir(folder, { recursive: true })
  const config = { storage, ...(plugins.length > 0 && { plugins }) }
  await writeWhole(cli, join(folder, FILE), `${JSON.stringify(config, null, 2)}\n`)
  const ignored = await ignoreStore(cli, folder, storage)
  const file = join(folder, FILE)
  print(cli, { file, ...config, ...(ignored && { ignored }) }, () => facts({ file, ...config, ignored }))
  const here = relative(cli.cwd, folder) === '' ? '' : `cd ${relative(cli.cwd, folder)} && `
  const words = ['create', 'note', '--title', 'Hello', '--content', 'Kept in this folder.']
  note(cli, `Start with: ${here}${callAs(cli, words)}`)
}

async function askForStorage(cli: Cli): Promise<string> {
  const { isCancel, select, text } = await import('@clack/prompts')
  const output = cli.stderr
  const kind = await select({
    message: 'Where to keep everything',
    options: [
      { value: DEFAULT, label: 'in a file (SQLite)', hint: DEFAULT },
      { value: 'fs:./data', label: 'in readable files, for git', hint: 'fs:./data' },
      { value: 'postgres', label: 'in PostgreSQL' },
    ],
    output,
  })
  if (isCancel(kind)) return interrupted(cli)
  if (kind !== 'postgres') return kind
  const url = await text({ message: 'Its URL', initialValue: 'postgres://localhost/minions', output })
  return isCancel(url) ? interrupted(cli) : url
}

/** In a repository, a database is not put under version control; files are. */
async function ignoreStore(cli: Cli, folder: string, storage: string): Promise<string | undefined> {
  const { scheme, path } = parseStorageUrl(storage) ?? {}
  if (scheme !== 'sqlite' || path === undefined || !existsSync(join(folder, '.git'))) return undefined
  const file = join(folder, '.gitignore')
  const before = existsSync(file) ? await readFile(file, 'utf8') : ''
  const line = `${relative(folder, resolve(folder, path))}*`
  if (line.startsWith('..') || before.split('\n').includes(line)) return undefined
  await writeWhole(cli, file, `${before === '' || before.endsWith('\n') ? before : `${before}\n`}${line}\n`)
  return line
}
