import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { nearestName } from '@minions/core'
import { toJsonSchema } from '@minions/core/schema'
import { prompts } from '@minions/prompts'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { printTable, write, wrote } from '../output/output.js'
import { writeWhole } from '../output/write-file.js'
import { addCommand, type Command } from '../program/command.js'
import { UsageError } from '../program/usage-error.js'

interface SchemaFile {
  readonly name: string
  readonly package: string
  readonly id: string
  readonly file: string
}

const PACKAGES = ['core', 'workspace', 'colony-contracts', 'skills-runtime'] as const

export function register(program: Command, cli: Cli): void {
  const schemas = program.command('schemas')
  addCommand(schemas, 'list', 'list the JSON Schemas of all records')
    .examples('schemas list')
    .action(async () => {
      const files = await schemaFiles()
      const shown = files.map(({ file: _file, ...rest }) => rest)
      printTable(cli, shown, 'Nothing to show.', { name: 'name', package: 'package', id: 'id' })
    })
  addCommand(schemas, 'export', 'print one schema, or write several to a folder')
    .examples('schemas export minion', 'schemas export --to ./schemas', 'schemas export --type task')
    .worksWithoutStore()
    .argument('[names...]', 'names as `schemas list` shows them (default: all)')
    .option('--to <folder>', 'write files there')
    .option('--type <type>', 'the schema of the fields of a type of minions')
    .action(async (names, options) => {
      const { type, to } = options
      if (type !== undefined) return exportType(cli, type)
      const files = await schemaFiles()
      const chosen = names.length === 0 ? files : names.map((name) => schemaNamed(files, name))
      const [only, second] = chosen
      if (to === undefined) {
        if (!only || second) throw new UsageError('name one schema, or give a folder with --to <folder>')
        return write(cli, await readFile(only.file, 'utf8'))
      }
      const folder = resolve(cli.cwd, to)
      await mkdir(folder, { recursive: true })
      for (const { name, file } of chosen)
        await writeWhole(cli, join(folder, `${name}.json`), [await readFile(file, 'utf8')])
      wrote(cli, { folder, names: chosen.map(({ name }) => name) }, `Wrote ${chosen.length} schemas to ${folder}`)
    })
}

async function exportType(cli: Cli, slug: string): Promise<void> {
  await withApp(cli, [prompts()], async (app) => {
    const type = app.types.get(slug)
    if (!type) throw cliError('NOT_FOUND', `There is no type "${slug}"; see the types with: minions types list`)
    write(cli, JSON.stringify(toJsonSchema(type), null, 2))
  })
}

function schemaNamed(files: readonly SchemaFile[], name: string): SchemaFile {
  const found = files.find((file) => file.name === name || file.id === name)
  if (found) return found
  const nearest = nearestName(
    name,
    files.map((file) => file.name),
  )
  const hint = nearest === undefined ? 'see them with: minions schemas list' : `did you mean "${nearest}"?`
  throw cliError('NOT_FOUND', `There is no schema "${name}"; ${hint}`)
}

async function schemaFiles(): Promise<SchemaFile[]> {
  const require = createRequire(import.meta.url)
  const files: SchemaFile[] = []
  for (const name of PACKAGES) {
    const folder = join(dirname(require.resolve(`@minions/${name}/package.json`)), 'schemas')
    for (const entry of (await readdir(folder)).filter((each) => each.endsWith('.json')).sort()) {
      const file = join(folder, entry)
      const { $id } = JSON.parse(await readFile(file, 'utf8')) as { $id: string }
      files.push({ name: entry.slice(0, -'.json'.length), package: `@minions/${name}`, id: $id, file })
    }
  }
  return files
}
