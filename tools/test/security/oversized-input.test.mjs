// @ts-check
// What is too large or too deep is refused with an error of ours, before it is stored, and at once.
import { copyJson, jsonProblem, MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from '@minions/core/json'
import { memoryStorage } from '@minions/core/memory'
import { compileSchema, MAX_SCHEMA_BYTES } from '@minions/core/schema'
import { compileTemplate } from '@minions/prompts'
import { describe, expect, it } from 'vitest'
import { backends, openClient, temporaryFolder } from './backends.mjs'

/** @param {number} levels */
function nested(levels) {
  /** @type {unknown} */
  let value = 'deep'
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value }
  return value
}

const tooMuch = {
  'too deep': () => nested(MAX_RECORD_DEPTH + 1),
  'absurdly deep': () => nested(200_000),
  'too large': () => 'x'.repeat(MAX_RECORD_BYTES + 1),
  'too large together': () => new Array(20).fill('x'.repeat(MAX_RECORD_BYTES / 16)),
}

describe.each(Object.entries(tooMuch))('%s', (_, make) => {
  it('is no record', () => {
    expect(jsonProblem({ value: make() })).toBeDefined()
    expect(() => copyJson(/** @type {never} */ ({ value: make() }))).toThrow()
  })

  it.each(Object.entries(backends))('is not stored: %s', async (_name, create) => {
    const minions = await openClient(await create(temporaryFolder()))
    const attempt = minions.create(/** @type {string} */ ('note'), {
      title: 't',
      fields: { content: 'c', value: make() },
    })
    await expect(attempt).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await minions.count()).toBe(0)
  })
})

it('a bundle of one endless line is refused', async () => {
  const minions = await openClient(memoryStorage())
  function* endless() {
    for (;;) yield 'x'.repeat(1024 * 1024)
  }
  await expect(minions.importBundle(endless())).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
})

it('a template and a schema without end are refused', () => {
  expect(() => compileTemplate('{{#if a}}'.repeat(100_000))).toThrow()
  expect(() => compileSchema({ type: 'string', description: 'x'.repeat(MAX_SCHEMA_BYTES) })).toThrow()
  expect(() => compileSchema(/** @type {never} */ (nested(10_000)))).toThrow()
})
