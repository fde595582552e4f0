import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const manifest: { readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** The names that each entry exports, values and types alike. */
const entries = new Map(
  Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return []
    const source = readFileSync(new URL(`../${target['@minions/source']}`, import.meta.url), 'utf8')
    return [[entry, namesIn(source)] as const]
  }),
)

function namesIn(source: string): string[] {
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, list = '']) => list.split(','))
  const names = lists.map(
    (name) =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ')
        .at(-1) ?? '',
  )
  return names.filter((name) => name !== '').sort()
}

describe('the main entry', () => {
  it('has the model, the client, errors and events, and nothing else', () => {
    expect(entries.get('.')).toEqual(
      [
        // The model
        ...['CreateMinionInput', 'CreateOptions', 'CreateRelationInput', 'FIELD_TYPES', 'FieldDefinition', 'FieldType'],
        ...['FieldValidation', 'FieldsOf', 'LifecycleOptions', 'MINION_PRIORITIES', 'MINION_STATUSES', 'Minion'],
        ...['MinionOf', 'MinionPriority', 'MinionResult', 'MinionStatus', 'MinionType', 'RELATION_TYPES', 'Relation'],
        ...['RelationGraph', 'RelationGraphOptions', 'RelationType', 'SPEC_VERSION', 'UpdateMinionInput'],
        ...['ValidationError', 'ValidationResult', 'applyDefaults', 'createMinion', 'defineType', 'generateId'],
        ...['hardDelete', 'isDeleted', 'isId', 'relationLabel', 'restoreMinion', 'softDelete', 'updateMinion'],
        ...['validateField', 'validateFields', 'Clock', 'now', 'timestamp'],
        // The client
        ...['By', 'ClientCall', 'ClientMethod', 'Comparison', 'Middleware', 'MinionQuery', 'MinionRecord', 'Minions'],
        ...['MinionsAccess', 'MinionsOptions', 'OrderBy', 'Page', 'RegisterTypeOptions', 'RelationQuery'],
        ...['RelationsOptions', 'TraversalOptions', 'TypesApi', 'UpdateOptions', 'Where', 'everyPage'],
        // Errors
        ...['CORE_ERROR_CODES', 'CoreErrorCode', 'ErrorFactory', 'MinionsError', 'MinionsErrorOptions', 'coreError'],
        ...['defineErrors', 'isMinionsError', 'messageOf', 'nearestName', 'quote'],
        // Events
        ...['Listener', 'MinionsEvents', 'RecordEvent', 'TypedEmitter', 'TypedEmitterOptions'],
      ].sort(),
    )
    expect(entries.get('.')?.length).toBeLessThanOrEqual(85)
  })
})

describe('the entries', () => {
  it('export each name once', () => {
    const all = [...entries.values()].flat()
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
  })

  it('are all in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const missing = [...entries.keys()].filter((entry) => !readme.includes(`| \`@minions/core${entry.slice(1)}\` |`))
    expect(missing).toEqual([])
  })
})
