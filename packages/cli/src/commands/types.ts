import { FIELD_TYPES, type FieldDefinition, type FieldType, generateId, type MinionType } from '@minions/core'
import type { MigrationReport, Transforms } from '@minions/core/evolution'
import { prompts } from '@minions/prompts'
import { InvalidArgumentError } from 'commander'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { confirm, required } from '../input/confirm.js'
import { readJson, readObject } from '../input/content.js'
import { importModule } from '../input/evaluation.js'
import { knownType } from '../input/type-reference.js'
import { facts, print, table } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { given } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

const FIELD = ['--field <name:type[!]>', 'a field, required with !; may be repeated', collectFields] as const

export function register(program: Command, cli: Cli): void {
  const types = program.command('types')
  addCommand(types, 'list', 'list all types')
    .examples('types list')
    .worksWithoutStore()
    .action(() =>
      withApp(cli, [prompts()], async (app) => {
        const types = app.types.list()
        // A type whose slug was taken over by another is reachable only by its id, which the other's row shows.
        const shown = types.filter(({ id, slug }) => app.types.get(slug)?.id === id)
        print(cli, types, () =>
          table(shown, 'Nothing to show.', {
            slug: 'slug',
            name: 'name',
            fields: ({ schema }) => schema.map(({ name }) => name).join(', '),
            id: 'id',
            ...(shown.some((type) => takenFrom(type, types).length > 0) && {
              'instead of': (type: MinionType) => takenFrom(type, types).join(', '),
            }),
          }),
        )
      }),
    )
  addCommand(types, 'show', 'show a type and its fields')
    .examples('types show task --json')
    .worksWithoutStore()
    .argument('<type>', 'slug or id')
    .action((slug) => withApp(cli, [prompts()], async (app) => show(cli, knownType(app, slug))))
  addCommand(types, 'create', 'define a type')
    .examples(
      'types create --slug book --name Book --field author:string! --field year:number',
      'types create --definition @book.json',
    )
    .createsStore()
    .option('--definition <json>', 'the whole type, @file or - for standard input')
    .option('--slug <slug>', 'kebab-case, such as meeting-note')
    .option('--name <name>')
    .option('--description <text>')
    .option(...FIELD)
    .action(async (options) => {
      const whole = options.definition === undefined ? {} : await readObject(cli, options.definition, '--definition')
      const written = options.slug ?? whole.slug
      // The file may contain anything; registration validates it.
      const slug = (written ??
        (await required(cli, undefined, '--slug <slug>', 'Slug, such as meeting-note'))) as string
      const definition: MinionType = {
        id: generateId(),
        name: String(slug),
        schema: [],
        ...whole,
        slug,
        ...given({ name: options.name, description: options.description, schema: options.field }),
      }
      await withApp(cli, [prompts()], async (app) => show(cli, await app.types.register(definition)))
    })
  addCommand(types, 'evolve', 'change the schema of a type and migrate its minions')
    .examples(
      'types evolve book --field shelf:string --drop year --dry-run',
      'types evolve book --field year:number --transform ./years.mjs',
    )
    .argument('<type>', 'slug or id')
    .option('--schema <json>', 'the new list of fields, @file or - for standard input')
    .option(...FIELD)
    .option('--drop <name...>', 'fields to remove; values are kept in _legacy')
    .option('--transform <module>', 'a module whose default export has a function (value, minion) by field to convert')
    .option('--dry-run', 'report what would happen and change nothing')
    .option('--by <who>', 'who does it')
    .action(async (slug, options) => {
      const changes = [options.schema, options.field, options.drop, options.transform]
      if (changes.every((change) => change === undefined)) {
        throw new UsageError('name what to change: --field, --drop, --schema or --transform')
      }
      await withApp(cli, [prompts()], async (app) => {
        const type = knownType(app, slug)
        const { schema: json, field = [], drop = [] } = options
        const base = json === undefined ? type.schema : listOf(await readJson(cli, json, '--schema'))
        const schema = changedSchema(type, base, field, drop)
        const conversion = given({ transform: await readTransforms(cli, options.transform) })
        const plan = await app.types.planEvolution(type.slug, schema, conversion)
        if (options.dryRun) return print(cli, plan, () => reportText(plan, 'would be'))
        const losing = plan.minions.filter(({ movedToLegacy }) => movedToLegacy.length > 0).length
        if (losing > 0) await confirm(cli, `Set values of ${losing} minions of type "${type.slug}" aside in _legacy?`)
        const report = await app.types.evolve(type.slug, schema, { ...conversion, ...given({ by: options.by }) })
        print(cli, report, () => reportText(report, 'were'))
      })
    })
}

/** The ids of types whose slug a type has taken over. */
function takenFrom({ id, slug }: MinionType, types: readonly MinionType[]): string[] {
  return types.filter((other) => other.slug === slug && other.id !== id).map((other) => other.id)
}

function show(cli: Cli, type: MinionType): void {
  const { id, slug, name, schema, ...rest } = type
  print(cli, type, () => `${facts({ id, slug, name, ...rest })}\n\n${fieldTable(schema)}`)
}

function fieldTable(schema: readonly FieldDefinition[]): string {
  return table(schema, 'No fields.', {
    field: 'name',
    type: 'type',
    required: ({ required: isRequired }) => (isRequired ? 'yes' : ''),
    default: 'defaultValue',
    options: ({ options }) => options?.join(', '),
    rules: 'validation',
  })
}

function changedSchema(
  { slug }: MinionType,
  base: readonly FieldDefinition[],
  added: readonly FieldDefinition[],
  dropped: readonly string[],
): FieldDefinition[] {
  const changed = new Map([...base, ...added].map((definition) => [definition.name, definition]))
  for (const name of dropped) {
    if (!changed.delete(name)) throw cliError('NOT_FOUND', `The type "${slug}" has no field "${name}" to drop.`)
  }
  return [...changed.values()]
}

async function readTransforms(cli: Cli, path: string | undefined): Promise<Transforms | undefined> {
  if (path === undefined) return undefined
  const { default: transforms } = await importModule(cli, path)
  if (typeof transforms === 'object' && transforms !== null) return transforms as Transforms
  throw cliError('MODULE_UNUSABLE', `${path} must have an object with a function per field as its default export.`)
}

function listOf(value: unknown): FieldDefinition[] {
  const list = Array.isArray(value) ? value : (value as { schema?: unknown } | null)?.schema
  if (Array.isArray(list)) return list
  throw cliError('VALIDATION_FAILED', '--schema must be a list of fields, or a type with a `schema`.')
}

function reportText({ changes, checked, minions }: MigrationReport, were: string): string {
  const lines = [facts({ ...changes }), `${checked} minions ${were} checked, ${minions.length} of them changed.`]
  if (minions.length === 0) return lines.join('\n').trim()
  lines.push(
    '',
    table(minions, '', {
      id: 'id',
      'set aside': ({ movedToLegacy }) => movedToLegacy.join(', '),
      restored: ({ restored }) => restored.join(', '),
      converted: ({ transformed }) => transformed.join(', '),
      'not converted': ({ transformErrors }) =>
        transformErrors.map(({ field, message }) => `${field}: ${message}`).join(' '),
      defaulted: ({ defaulted }) => defaulted.join(', '),
      missing: ({ missingRequired }) => missingRequired.join(', '),
      'now invalid': ({ keptInvalid }) => keptInvalid.join(', '),
    }),
  )
  return lines.join('\n')
}

function collectFields(value: string, previous: readonly FieldDefinition[] = []): FieldDefinition[] {
  const [, name = '', type = 'string', mark] = /^([^:]+?)(?::([a-z-]+))?(!)?$/.exec(value) ?? []
  if (name === '') throw new InvalidArgumentError('It must be name:type, followed by ! if it is required.')
  if (!FIELD_TYPES.includes(type as FieldType)) {
    throw new InvalidArgumentError(`"${type}" is not a field type; choose one of ${FIELD_TYPES.join(', ')}.`)
  }
  return [...previous, { name, type: type as FieldType, ...(mark && { required: true }) }]
}
