import { isMinionsError } from '@minions/core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Artifact, ArtifactRegistry, validateArtifact, WorkerResultSchema } from '../src/index.js'
import { artifactNames, edit, example, type Json } from './support/edit.js'

const root = {
  mission_id: '0b1f6c52-7d3e-4a86-9c41-5e8f2a7d9b30',
  created_at: '2026-04-14T12:00:00Z',
  producer: 'test',
}

/** A kind in three versions: v2 renames `text`, v3 splits it. */
function noteRegistry(): ArtifactRegistry {
  return new ArtifactRegistry()
    .register({
      name: 'field_note',
      version: 'v1',
      schema: Type.Object({ note_id: Type.String(), text: Type.String() }),
      idField: 'note_id',
    })
    .register({
      name: 'field_note',
      version: 'v2',
      schema: { type: 'object', properties: { note_id: {}, body: { type: 'string' } }, required: ['body'] },
      idField: 'note_id',
      upcastFrom: { v1: ({ text, ...rest }) => ({ ...rest, body: text }) },
    })
    .register({
      name: 'field_note',
      version: 'v3',
      schema: Type.Object({ note_id: Type.String(), lines: Type.Array(Type.String()) }),
      idField: 'note_id',
      upcastFrom: { v2: ({ body, note_id, ...rest }) => ({ ...pick(rest), note_id, lines: String(body).split('\n') }) },
    })
}

/** Drops what the contract does not know, as a careless upcaster does. */
function pick({ schema_name, mission_id, created_at, producer }: Json) {
  return { schema_name, mission_id, created_at, producer }
}

const note = {
  ...root,
  schema_name: 'field_note',
  schema_version: 'v1',
  note_id: 'n1',
  text: 'one\ntwo',
} as Artifact<string>

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work()
  } catch (error) {
    return isMinionsError(error) ? error.code : String(error)
  }
  return undefined
}

describe('ArtifactRegistry', () => {
  it('knows the ten contracts', () => {
    const registry = new ArtifactRegistry()
    expect(registry.names()).toEqual(artifactNames)
    expect(registry.versions('worker_result')).toEqual(['v1'])
    expect(registry.versions('toString')).toEqual([])
    expect(registry.validate(example('worker_result')).valid).toBe(true)
    expect(registry.idOf(example('worker_result') as Artifact<string>)).toBe('wrk_001')
    expect(codeOf(() => registry.kind('worker_result', 'v9'))).toBe('UNKNOWN_ARTIFACT_KIND')
    expect(codeOf(() => registry.kind('nothing', 'v1'))).toBe('UNKNOWN_ARTIFACT_KIND')
  })

  it('takes kinds and versions from plugins, each registry its own', () => {
    const registry = noteRegistry()
    expect(registry.versions('field_note')).toEqual(['v1', 'v2', 'v3'])
    expect(registry.validate(note)).toEqual({ valid: true, artifact: note, errors: [] })
    expect(registry.parse(JSON.stringify(note)).valid).toBe(true)
    expect(registry.idOf(note)).toBe('n1')
    expect(validateArtifact(note).errors[0]?.code).toBe('UNKNOWN_SCHEMA')
    expect(new ArtifactRegistry().names()).not.toContain('field_note')
  })

  it.each<[string, object]>([
    ['zod', z.object({ weight: z.number().min(1) })],
    [
      'references of its own',
      { $ref: '#/$defs/a', $defs: { a: { required: ['weight'], properties: { weight: { minimum: 1 } } } } },
    ],
    [
      'draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        dependencies: { artifact_id: ['weight'] },
        properties: { weight: { minimum: 1 } },
      },
    ],
  ])('takes a kind whose schema has %s', (_, schema) => {
    const registry = new ArtifactRegistry().register({ name: 'stone', version: 'v1', schema })
    const stone = { ...root, schema_name: 'stone', schema_version: 'v1', artifact_id: 's1' }
    expect(registry.validate({ ...stone, weight: 2 })).toMatchObject({ valid: true })
    expect(registry.validate({ ...stone, weight: 0 }).errors).toMatchObject([{ pointer: '/weight' }])
    expect(registry.validate(stone).errors).toMatchObject([{ pointer: '/weight' }])
    expect(registry.kind('stone', 'v1').schema).toEqual(JSON.parse(JSON.stringify(registry.kind('stone', 'v1').schema)))
  })

  it('sorts versions as numbers', () => {
    const registry = new ArtifactRegistry()
    for (const version of ['v10', 'v9', 'v2']) registry.register({ name: 'odd', version, schema: {} })
    expect(registry.versions('odd')).toEqual(['v2', 'v9', 'v10'])
  })

  it('checks root metadata and the id of every kind', () => {
    const { errors } = noteRegistry().validate({
      schema_name: 'field_note',
      schema_version: 'v1',
      mission_id: 'x',
      text: 1,
    })
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      '/created_at REQUIRED',
      '/mission_id PATTERN',
      '/note_id REQUIRED',
      '/producer REQUIRED',
      '/text TYPE',
    ])
  })

  it('leads v1 to v3 on reading, and unknown fields survive', () => {
    const registry = noteRegistry()
    const old = Object.freeze({ ...note, extra: { kept: true }, tenant_id: 'tenant_a' })
    expect(registry.upcast(old)).toEqual({
      ...root,
      schema_name: 'field_note',
      schema_version: 'v3',
      note_id: 'n1',
      lines: ['one', 'two'],
      extra: { kept: true },
      tenant_id: 'tenant_a',
    })
    expect(registry.upcast(old, 'v2').schema_version).toBe('v2')
    expect(registry.upcast(old, 'v1')).toBe(old)
    expect(old.schema_version).toBe('v1')
  })

  it('leaves an artifact of the latest version alone', () => {
    const artifact = example('worker_result') as Artifact<string>
    expect(noteRegistry().upcast(artifact)).toBe(artifact)
  })

  it('takes the upcaster that leads further', () => {
    const registry = noteRegistry().register({
      name: 'field_note',
      version: 'v4',
      schema: {},
      idField: 'note_id',
      upcastFrom: { v1: (artifact) => ({ ...artifact, direct: true }) },
    })
    expect(registry.upcast(note)).toMatchObject({ schema_version: 'v4', direct: true })
    expect(registry.upcast(note, 'v1').schema_version).toBe('v1')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['returns nothing', () => undefined as unknown as object],
    ['returns a list', () => []],
    ['violates the contract', () => ({ note_id: 7 })],
    ['changes the id', (artifact: Artifact<string>) => ({ ...artifact, note_id: 'other' })],
  ])('refuses an upcaster that %s', (_what, upcaster) => {
    const registry = new ArtifactRegistry()
      .register({ name: 'field_note', version: 'v1', schema: {}, idField: 'note_id' })
      .register({
        name: 'field_note',
        version: 'v2',
        schema: {},
        idField: 'note_id',
        upcastFrom: { v1: upcaster },
      })
    expect(codeOf(() => registry.upcast(note))).toBe('UPCAST_FAILED')
  })

  it('cannot reach a version to which nothing leads', () => {
    expect(codeOf(() => noteRegistry().upcast(note, 'v7'))).toBe('UPCAST_FAILED')
    expect(codeOf(() => noteRegistry().upcast(noteRegistry().upcast(note), 'v1'))).toBe('UPCAST_FAILED')
  })

  it('takes later versions of the ten, which keep what links them to the mission', () => {
    const registry = new ArtifactRegistry().register({
      name: 'worker_result',
      version: 'v2',
      schema: { type: 'object', properties: { output: { type: 'string' } }, required: ['output'] },
      upcastFrom: { v1: ({ output_text, ...rest }) => ({ ...rest, output: output_text }) },
    })
    const result = registry.upcast(example('worker_result') as Artifact<string>)
    expect(result).toMatchObject({ schema_version: 'v2', output: example('worker_result').output_text })
    expect(registry.validate(edit({ ...result }, 'task_id')).errors).toMatchObject([
      { pointer: '/task_id', code: 'REQUIRED' },
    ])
    expect(registry.validate(example('worker_result')).valid).toBe(true)
  })

  it('counts characters, not units, in the schemas of plugins', () => {
    const schema = Type.Object({ mark: Type.String({ minLength: 2, maxLength: 2 }) })
    const registry = new ArtifactRegistry().register({ name: 'mark', version: 'v1', schema })
    const mark = (text: string) => ({
      ...root,
      schema_name: 'mark',
      schema_version: 'v1',
      artifact_id: 'm',
      mark: text,
    })
    expect(registry.validate(mark('😀')).valid).toBe(false)
    expect(registry.validate(mark('😀😀')).valid).toBe(true)
  })

  it('knows formats, and refuses schemas that it cannot use', () => {
    const schema = Type.Object({ mail: Type.String({ format: 'email' }) })
    const registry = new ArtifactRegistry().register({ name: 'mail', version: 'v1', schema })
    const mail = { ...root, schema_name: 'mail', schema_version: 'v1', artifact_id: 'm', mail: 'nobody' }
    expect(registry.validate(mail).errors).toMatchObject([{ pointer: '/mail', code: 'PATTERN' }])
    expect(registry.validate({ ...mail, mail: 'a@example.com' }).valid).toBe(true)
  })

  it.each([
    ['a name in capitals', { name: 'Note' }],
    ['a name that is none', { name: '__proto__' }],
    ['a version without v', { version: '1' }],
    ['version v0', { version: 'v0' }],
    ['a version with a line feed', { version: 'v1\n' }],
    ['an upcaster from itself', { upcastFrom: { v1: () => ({}) } }],
    ['an upcaster from the future', { upcastFrom: { v2: () => ({}) } }],
    ['an unusable pattern', { schema: { properties: { a: { type: 'string', pattern: '(' } } } }],
    ['an unknown type', { schema: { properties: { a: { type: 'money' } } } }],
    ['an unknown format', { schema: { properties: { a: { type: 'string', format: 'shoe-size' } } } }],
    ['a schema elsewhere', { schema: { $ref: 'https://example.com/schema.json' } }],
    ['a schema in a circle', { schema: circle() }],
    ['no schema', { schema: undefined as unknown as object }],
    ['another id field for one of the ten', { name: 'worker_result', version: 'v2', idField: 'id' }],
  ])('refuses %s, and adds nothing', (_what, part) => {
    const registry = new ArtifactRegistry()
    const kind = { name: 'kind', version: 'v1', schema: {}, ...part }
    expect(codeOf(() => registry.register(kind))).toBe('INVALID_ARTIFACT_KIND')
    expect(registry.names()).toEqual(artifactNames)
    expect(registry.versions('worker_result')).toEqual(['v1'])
  })

  it('refuses what is there already', () => {
    const kind = { name: 'worker_result', version: 'v1', schema: WorkerResultSchema }
    expect(codeOf(() => new ArtifactRegistry().register(kind))).toBe('ARTIFACT_KIND_EXISTS')
  })

  it('is not changed by later changes to a schema', () => {
    const schema = { type: 'object', required: ['a'] }
    const registry = new ArtifactRegistry().register({ name: 'kind', version: 'v1', schema })
    schema.required = []
    const artifact = { ...root, schema_name: 'kind', schema_version: 'v1', artifact_id: 'k' }
    expect(registry.validate(artifact).errors).toMatchObject([{ pointer: '/a' }])
  })
})

function circle(): object {
  const schema: Json = {}
  schema.not = schema
  return schema
}
