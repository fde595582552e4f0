import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ArtifactName, validateArtifact } from '../src/index.js'
import { publishedSchemas } from '../src/schemas/published.js'
import { badValues } from './support/contract-table.js'
import { artifactNames, edit, example, type Json } from './support/edit.js'

const folder = new URL('../schemas/', import.meta.url)
const read = (name: string): Json => JSON.parse(readFileSync(new URL(`${name}.v1.json`, folder), 'utf8'))

/** Valid and mutated artifacts by the thousand, the same ones every time; the odd ones from the table are among them. */
const samples = artifactNames.flatMap((name) => [
  { name, value: example(name) },
  ...Object.entries(badValues[name] ?? {}).flatMap(([field, values]) =>
    values.map((value) => ({ name, value: edit(example(name), field, value) })),
  ),
  ...fc.sample(mutated(name), { numRuns: 150, seed: 4 }).map((value) => ({ name, value })),
])
const verdicts = samples.map(({ value }) => validateArtifact(value).valid)

describe('the published JSON Schemas', () => {
  it('are the schemas of this package, one file each', () => {
    expect(readdirSync(folder).sort()).toEqual(artifactNames.map((name) => `${name}.v1.json`).sort())
    for (const name of artifactNames) {
      const { $schema, $id, ...schema } = read(name)
      expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect($id).toMatch(`${name}.v1`)
      expect(schema).toEqual(JSON.parse(JSON.stringify(publishedSchemas[`${name}.v1`])))
    }
  })

  it('use nothing that some language lacks: no format, no look-ahead, no Unicode digits', () => {
    for (const name of artifactNames) expect(JSON.stringify(read(name))).not.toMatch(/"format"|\(\?[=!<]|\\\\d/)
  })

  it('agree with validateArtifact under ajv in strict mode', () => {
    const ajv = new Ajv2020({ strict: true })
    const compiled = new Map(artifactNames.map((name) => [name, ajv.compile(read(name))]))
    samples.forEach(({ name, value }, index) => {
      expect({ value, valid: compiled.get(name)?.(value) }).toEqual({ value, valid: verdicts[index] })
    })
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(100)
    expect(verdicts.filter((valid) => !valid).length).toBeGreaterThan(500)
  })

  const python = spawnSync('python3', ['-c', 'import jsonschema'], { stdio: 'ignore' }).status === 0

  const needsPython = { meta: { needs: 'jsonschema for Python: python3 -m pip install jsonschema' } }

  it.skipIf(!python)('agree with validateArtifact under Python jsonschema', needsPython, () => {
    const program = `
import json, sys
from jsonschema import Draft202012Validator as V
data = json.load(sys.stdin)
for schema in data['schemas'].values(): V.check_schema(schema)
validators = {name: V(schema) for name, schema in data['schemas'].items()}
print(json.dumps([validators[s['name']].is_valid(s['value']) for s in data['samples']]))
`
    const schemas = Object.fromEntries(artifactNames.map((name) => [name, read(name)]))
    const input = JSON.stringify({ schemas, samples })
    const { stdout, stderr, status } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const answers: boolean[] = JSON.parse(stdout)
    const different = samples.filter((_sample, index) => answers[index] !== verdicts[index])
    expect(different).toEqual([])
    expect(answers).toHaveLength(samples.length)
  })
})

/** An example with up to three random changes to its properties, some of them harmless. */
function mutated(name: ArtifactName): fc.Arbitrary<Json> {
  const original = example(name)
  const nested = Object.entries(original).flatMap(([key, value]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? Object.keys(value[0] as Json).map((inner) => `${key}/0/${inner}`)
      : [],
  )
  const path = fc.constantFrom(...Object.keys(original), ...nested, 'extra', 'tenant_id', 'actor_id', 'parent_refs')
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, 1, 0.5, -1, 1.0, 45000, '', 'id-1', 'x\n', [], {}, ['a'], [''], [{}]),
    fc.constantFrom<unknown>('v1', 'worker', 'low', 'allow', 'rejected', '2024-02-29T23:59:59.5+01:00', '😀', 'é'),
    fc.string({ maxLength: 3 }).filter((text) => !text.includes('\0')),
  )
  const change = fc.record({ path, value, drop: fc.boolean() })
  return fc.array(change, { minLength: 0, maxLength: 3 }).map((changes) => {
    const artifact = example(name)
    for (const each of changes) {
      const list = artifact[each.path.split('/')[0] as string]
      if (each.path.includes('/') && !(Array.isArray(list) && typeof list[0] === 'object' && list[0])) continue
      if (each.drop) edit(artifact, each.path)
      else edit(artifact, each.path, each.value)
    }
    return artifact
  })
}
