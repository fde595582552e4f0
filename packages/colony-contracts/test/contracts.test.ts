import { isId } from '@minions/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { artifactExamples, artifactSchemas, TASK_ROLE_TYPES, validateArtifact } from '../src/index.js'
import { Id, Timestamp } from '../src/schemas/parts.js'
import { badValues, optionalFields, requiredFields } from './support/contract-table.js'
import { artifactNames, edit, example } from './support/edit.js'

describe('the ten contracts', () => {
  it('are all there, under their names', () => {
    expect(Object.keys(artifactSchemas)).toEqual(artifactNames)
    expect(artifactNames).toHaveLength(10)
    expect(TASK_ROLE_TYPES).toHaveLength(7)
  })

  it.each(artifactNames)('%s: the example is valid and handed back as it is', (name) => {
    const result = validateArtifact(artifactExamples[name])
    expect(result).toEqual({ valid: true, artifact: artifactExamples[name], errors: [] })
  })

  it.each(artifactNames)('%s: every field of the example is required or optional, none forgotten', (name) => {
    const top = [...requiredFields[name].filter((field) => !field.includes('/')), ...optionalFields[name]]
    expect(Object.keys(example(name)).sort()).toEqual(['schema_name', 'schema_version', ...top].sort())
  })

  describe.each(artifactNames)('%s', (name) => {
    it.each(requiredFields[name])('requires %s', (field) => {
      const { valid, errors } = validateArtifact(edit(example(name), field))
      expect(valid).toBe(false)
      expect(errors).toEqual([
        { pointer: `/${field}`, code: 'REQUIRED', message: 'is required', expected: true, received: undefined },
      ])
    })

    it.each([...optionalFields[name], 'toString'])('does without %s', (field) => {
      expect(validateArtifact(edit(example(name), field)).errors).toEqual([])
    })

    for (const [field, values] of Object.entries(badValues[name] ?? {})) {
      it.each(values.map((value) => [value]))(`refuses %j as ${field}`, (value) => {
        const { valid, errors } = validateArtifact(edit(example(name), field, value))
        expect(valid).toBe(false)
        expect(errors.length).toBeGreaterThan(0)
        for (const { pointer } of errors) expect(`${pointer}/`.startsWith(`/${field}/`)).toBe(true)
      })
    }
  })
})

describe('single rules', () => {
  it.each(['changes_requested', 'rejected'])('a review that is %s may have no output', (status) => {
    const review = edit(edit(example('review_packet'), 'review_status', status), 'approved_output', null)
    expect(validateArtifact(review).valid).toBe(true)
  })

  it.each(['approved', 'approved_with_edits'])('a review that is %s must have an output', (status) => {
    const review = edit(edit(example('review_packet'), 'review_status', status), 'approved_output', null)
    const { errors } = validateArtifact(review)
    expect(errors).toMatchObject([{ pointer: '/approved_output', code: 'TYPE', message: 'must be an object' }])
  })

  it.each(['v0', 'v1', 'v12'])('a template version is %s', (version) => {
    expect(validateArtifact(edit(example('prompt_package'), 'template_version', version)).valid).toBe(true)
  })

  it('takes every role, level and both ends of a confidence', () => {
    for (const role of TASK_ROLE_TYPES)
      expect(validateArtifact(edit(example('mission_task_graph'), 'tasks/0/role_type', role)).valid).toBe(true)
    for (const level of ['low', 'medium', 'high', 'critical'])
      expect(validateArtifact(edit(example('mission_envelope'), 'risk_level', level)).valid).toBe(true)
    for (const confidence of [0, 1])
      expect(validateArtifact(edit(example('worker_result'), 'confidence', confidence)).valid).toBe(true)
  })

  it('ids follow the rule of core', () => {
    const pattern = patternOf(Id)
    const text = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '.', '_', '/', ':', '-', ' ', 'ä', '\n'),
      maxLength: 140,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((rest) => `a${rest}`.padEnd(128, 'x')),
        ),
        (id) => {
          expect(pattern.test(id) && id.length <= 128).toBe(isId(id))
        },
      ),
      { numRuns: 500, seed: 4 },
    )
  })

  it('says what a timestamp must be instead of showing its pattern', () => {
    const { errors } = validateArtifact({ ...example('mission_envelope'), created_at: '2016-12-31T23:59:60Z' })
    expect(errors).toEqual([expect.objectContaining({ pointer: '/created_at', code: 'PATTERN' })])
    expect(errors[0]?.message).toMatch(/must be a date and time such as .* leap second/)
  })

  it('timestamps are real moments, and every moment is a timestamp', () => {
    const pattern = patternOf(Timestamp)
    const two = fc.integer({ min: 0, max: 32 }).map((number) => String(number).padStart(2, '0'))
    const year = fc.constantFrom('0000', '0004', '1900', '1999', '2000', '2024', '2026', '2100', '9999')
    fc.assert(
      fc.property(year, two, two, (y, month, day) => {
        const date = new Date(`${y}-${month}-${day}T00:00:00Z`)
        const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${y}-${month}-${day}`)
        expect(pattern.test(`${y}-${month}-${day}T00:00:00Z`)).toBe(real)
      }),
      { numRuns: 3000, seed: 4 },
    )
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true }), (date) => {
        expect(pattern.test(date.toISOString())).toBe(true)
      }),
      { numRuns: 200, seed: 4 },
    )
    for (const text of ['2026-04-14T12:00:00+05:30', '2026-04-14T12:00:00.123456789-00:00'])
      expect(pattern.test(text)).toBe(true)
  })
})

function patternOf(schema: object): RegExp {
  return new RegExp((schema as { pattern: string }).pattern, 'u')
}
