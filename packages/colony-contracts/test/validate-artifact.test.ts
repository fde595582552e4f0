import { afterEach, describe, expect, it } from 'vitest'
import { ArtifactRegistry, isArtifact, parseArtifact, validateArtifact } from '../src/index.js'
import { edit, example, type Json } from './support/edit.js'

const codes = (value: unknown) => validateArtifact(value).errors.map(({ pointer, code }) => `${pointer} ${code}`)

describe('what is not an artifact', () => {
  it.each([[null], [undefined], [0], ['text'], [[]], [() => 1], [Symbol('x')], [1n], [Number.NaN], [new Date(0)]])(
    'refuses %s',
    (value) => {
      expect(validateArtifact(value)).toMatchObject({ valid: false, errors: [{ pointer: '' }] })
    },
  )

  it('asks for name and version', () => {
    expect(codes({})).toEqual(['/schema_name REQUIRED', '/schema_version REQUIRED'])
  })

  it.each(['', 'worker_results', '__proto__', 'constructor', 'toString', 'x'.repeat(100_000), 7, null])(
    'fails closed on the name %.40s and lists the known ones',
    (name) => {
      const { valid, errors } = validateArtifact(edit(example('worker_result'), 'schema_name', name))
      expect(valid).toBe(false)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatchObject({ pointer: '/schema_name', code: 'UNKNOWN_SCHEMA' })
      expect(errors[0]?.message).toContain('mission_envelope')
      expect(errors[0]?.message).toContain('writeback_proposal')
      expect(errors[0]?.message.length).toBeLessThan(500)
    },
  )

  it.each(['', 'v2', 'v0', '1', 'V1', 'v1 ', 1, null, 'toString'])(
    'fails closed on the version %s and lists the known ones',
    (version) => {
      const { valid, errors } = validateArtifact(edit(example('worker_result'), 'schema_version', version))
      expect(valid).toBe(false)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatchObject({ pointer: '/schema_version', code: 'UNKNOWN_VERSION' })
      expect(errors[0]?.message).toContain('known versions of worker_result are v1')
    },
  )
})

describe('hostile values', () => {
  afterEach(() => {
    delete (Object.prototype as Json).task_id
  })

  it('counts own properties only', () => {
    const whole = example('worker_result')
    expect(codes(Object.create(whole))).toEqual([' NOT_STORABLE'])
    const { task_id, ...rest } = whole
    expect(codes(Object.assign(Object.create({ task_id }), rest))).toEqual([' NOT_STORABLE'])
    expect(codes(Object.assign(Object.create(Object.create(null, { task_id: { value: task_id } })), rest))).toEqual([
      '/task_id REQUIRED',
    ])
  })

  it('is not fooled by a polluted prototype, and pollutes none', () => {
    ;(Object.prototype as Json).task_id = 'task_worker_01'
    expect(codes(edit(example('worker_result'), 'task_id'))).toEqual(['/task_id REQUIRED'])
    expect(validateArtifact(example('worker_result')).valid).toBe(true)
    delete (Object.prototype as Json).task_id
    const text = JSON.stringify(example('worker_result')).replace('{', '{"__proto__":{"polluted":true},')
    const { artifact } = parseArtifact(text)
    expect(Object.keys(artifact ?? {})).toContain('__proto__')
    expect(({} as Json).polluted).toBeUndefined()
    expect((artifact as unknown as Json).polluted).toBeUndefined()
  })

  it.each([
    ['U+0000', 'a\0b'],
    ['a lone surrogate', '\ud800'],
    ['NaN', Number.NaN],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a hole', new Array(2)],
  ])('refuses %s anywhere, with its pointer', (_what, value) => {
    expect(codes(edit(example('worker_result'), 'extra', { list: [value] }))[0]).toMatch(
      /^\/extra\/list\/0.* NOT_STORABLE$/,
    )
  })

  it('refuses keys that cannot be stored', () => {
    expect(validateArtifact(edit(example('worker_result'), 'a\0', 1)).valid).toBe(false)
  })

  it('refuses circles, depth and getters that throw, without throwing', () => {
    const circle = example('worker_result')
    circle.structured_output = { circle }
    expect(validateArtifact(circle).valid).toBe(false)
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(parseArtifact(JSON.stringify(example('worker_result')).replace('{', `{"deep":${deep},`)).valid).toBe(false)
    const trap = Object.defineProperty(example('worker_result'), 'trap', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(codes(trap)).toEqual(['/trap NOT_STORABLE'])
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    expect(validateArtifact(revoked.proxy).valid).toBe(false)
  })

  it('reports a hundred elements of a list instead of millions, and what else is wrong', () => {
    const artifact = edit(example('worker_result'), 'tool_trace_refs', new Array(200_000).fill(7))
    const found = codes(edit(artifact, 'confidence', 7))
    expect(found).toHaveLength(101)
    expect(found).toEqual(expect.arrayContaining(['/tool_trace_refs/0 TYPE', '/confidence RANGE']))
  })

  it('takes properties that are undefined as missing', () => {
    expect(codes(edit(example('worker_result'), 'task_id', undefined))).toEqual(['/task_id REQUIRED'])
    const result = validateArtifact(edit(example('worker_result'), 'extra', undefined))
    expect(result.valid && Object.hasOwn(result.artifact, 'extra')).toBe(false)
  })

  it('escapes pointers', () => {
    expect(codes(edit(example('worker_result'), 'a~b', { c: [Number.NaN] }))).toEqual(['/a~0b/c/0 NOT_STORABLE'])
  })
})

describe('parseArtifact', () => {
  it('reads JSON text', () => {
    const result = parseArtifact(JSON.stringify(example('policy_decision')))
    expect(result.artifact?.schema_name).toBe('policy_decision')
  })

  it.each(['', '{', '{"a":1,}', 'undefined', '\ufeff{}'])('says that %j is not JSON', (text) => {
    expect(parseArtifact(text)).toMatchObject({ valid: false, errors: [{ pointer: '', code: 'BAD_JSON' }] })
  })

  it('says that a non-text is not JSON', () => {
    expect(parseArtifact(7 as unknown as string).errors[0]?.code).toBe('BAD_JSON')
  })
})

describe('isArtifact', () => {
  it('tells one kind from another', () => {
    expect(isArtifact(example('worker_result'))).toBe(true)
    expect(isArtifact(example('worker_result'), 'worker_result')).toBe(true)
    expect(isArtifact(example('worker_result'), 'review_packet')).toBe(false)
    expect(isArtifact({}, 'review_packet')).toBe(false)
  })
})

describe('a librarian pass', () => {
  const pass = (created_at: string, expires_at: string, rest: Json = {}) => ({
    ...example('librarian_pass'),
    created_at,
    expires_at,
    ...rest,
  })

  it.each([
    ['2026-04-14T12:00:08Z', '2026-04-14T12:00:07Z'],
    ['2026-04-14T12:00:08Z', '2026-04-14T12:00:08Z'],
    ['2026-04-14T12:00:08Z', '2026-04-14T14:00:08+02:00'],
    ['2026-04-14T12:00:08Z', '2026-04-14T13:59:59+02:00'],
  ])('created at %s must not expire at %s', (created, expires) => {
    expect(codes(pass(created, expires))).toEqual(['/expires_at EXPIRED_WHEN_CREATED'])
    expect(isArtifact(pass(created, expires))).toBe(false)
    expect(parseArtifact(JSON.stringify(pass(created, expires))).valid).toBe(false)
  })

  it('may expire a moment later, whatever the offsets', () => {
    expect(codes(pass('2026-04-14T12:00:08Z', '2026-04-14T12:00:08.001Z'))).toEqual([])
    expect(codes(pass('2026-04-14T12:00:08Z', '2026-04-14T11:00:09-01:00'))).toEqual([])
  })

  it('has this problem beside others, and only with two real times', () => {
    const [created, expires] = ['2026-04-14T12:00:08Z', '2026-04-14T12:00:07Z']
    expect(codes(pass(created, expires, { pass_id: '' }))).toEqual([
      '/pass_id PATTERN',
      '/expires_at EXPIRED_WHEN_CREATED',
    ])
    expect(codes(pass(created, '2026-04-14'))).toEqual(['/expires_at PATTERN'])
    expect(codes(edit(example('librarian_pass'), 'expires_at'))).toEqual(['/expires_at REQUIRED'])
  })

  it('has to keep this rule in later versions', () => {
    const registry = new ArtifactRegistry().register({ name: 'librarian_pass', version: 'v2', schema: {} })
    const late = pass('2026-04-14T12:00:08Z', '2026-04-14T12:00:07Z', { schema_version: 'v2' })
    expect(registry.validate(late).errors).toMatchObject([{ code: 'EXPIRED_WHEN_CREATED' }])
  })
})
