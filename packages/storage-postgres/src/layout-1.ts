import { escapeIdentifier } from 'pg'
import { type Catalogue, storeDeclarations } from './catalogue.js'
import type { Executor } from './executor.js'
import { qualified, Table } from './names.js'
import { indexDefinitions } from './schema.js'

/**
 * Renames collections of layout 1 to the current names. There a table was `<collection>_v<version>`, columns and
 * references were numbered, and indexes and constraints began with the name of the table. Nothing is copied, so this
 * takes no longer for large tables. In the order of the names: `notes_v1` may be the table of `notes` and the name of
 * another collection.
 */
export async function migrateFromLayout1(executor: Executor, schema: string, catalogue: Catalogue): Promise<void> {
  for (const name of catalogue.inLayout1) {
    const declaration = catalogue.get(name)
    if (!declaration) continue
    for (const text of renameStatements(new Table(schema, declaration))) await executor.run({ text, values: [] })
    await storeDeclarations(executor, schema, [declaration])
  }
}

function renameStatements(table: Table): string[] {
  const { declaration, schema } = table
  const { name, version, columns, references } = declaration
  const before = `${name}_v${version}`
  const old = qualified(schema, before)
  const renamed: [from: string, to: string][] = [
    ['key', table.key],
    ['revision', table.revision],
    ['doc', table.doc],
    ...columns.flatMap(({ type }, index): [string, string][] =>
      type === 'strings' ? [] : [[`column_${index}`, table.columns[index] ?? '']],
    ),
    ...references.map((_, index): [string, string] => [`reference_${index}`, table.references[index] ?? '']),
    ...(table.words ? [[`words_${declaration.foldVersion}`, table.words] satisfies [string, string]] : []),
  ]
  const constraints = ['key', ...references.map((_, index) => `f${index}`)]
  const aside = (index: number) => `"renamed ${index}"`
  return [
    // Through temporary names, because a declared name may be one that another column had, such as `key`.
    ...renamed.map(([from], index) => `ALTER TABLE ${old} RENAME COLUMN ${from} TO ${aside(index)}`),
    ...renamed.map(([, to], index) => `ALTER TABLE ${old} RENAME COLUMN ${aside(index)} TO ${to}`),
    ...constraints.map(
      (part) =>
        `ALTER TABLE ${old} RENAME CONSTRAINT ${escapeIdentifier(`${before}_${part}`)} TO ${escapeIdentifier(table.part(part))}`,
    ),
    ...[...indexDefinitions(table).keys()].map(
      (part) => `ALTER INDEX ${qualified(schema, `${before}_${part}`)} RENAME TO ${escapeIdentifier(table.part(part))}`,
    ),
    `ALTER TABLE ${old} RENAME TO ${escapeIdentifier(table.name)}`,
  ]
}
