// @ts-check
// `__proto__`, `constructor` and the like are ordinary names, whichever way they come in.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { artifactExamples, validateArtifact } from '@minions/colony-contracts'
import { createMinion, updateMinion, validateFields } from '@minions/core'
import { copyJson } from '@minions/core/json'
import { noteType } from '@minions/core/types'
import { compileTemplate, PromptDiff } from '@minions/prompts'
import { loadSkills, MessageBus } from '@minions/skills-runtime'
import { Workspace } from '@minions/workspace'
import { afterEach, expect, it } from 'vitest'
import { backends, openClient, temporaryFolder } from './backends.mjs'

const hostile = `{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}, "toString": "x", "content": "c"}`
const fields = () => JSON.parse(hostile)

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const before = prototypes.map((prototype) => Object.getOwnPropertyNames(prototype))

afterEach(() => {
  expect(prototypes.map((prototype) => Object.getOwnPropertyNames(prototype))).toEqual(before)
  expect(/** @type {Record<string, unknown>} */ ({}).polluted).toBeUndefined()
})

it('fields of minions, created, updated and validated', () => {
  const { minion } = createMinion({ title: 'a', fields: fields() }, noteType)
  expect(Object.keys(minion.fields).sort()).toEqual(['__proto__', 'constructor', 'content', 'toString'])
  expect(Object.getPrototypeOf(minion.fields)).toBe(Object.prototype)
  const { minion: updated } = updateMinion(minion, { fields: fields() }, noteType)
  expect(JSON.stringify(updated.fields)).toContain('"__proto__"')
  expect(validateFields(fields(), noteType.schema).valid).toBe(true)
  expect(Object.getPrototypeOf(copyJson(fields()))).toBe(Object.prototype)
})

it.each(Object.entries(backends))('records in a store: %s', async (_, create) => {
  const minions = await openClient(await create(temporaryFolder()))
  const { id } = await minions.create('note', { title: 'a', fields: fields() })
  await minions.update(id, { fields: fields() })
  const found = await minions.get(id)
  expect(JSON.parse(JSON.stringify(found?.fields))).toEqual(fields())
  expect(Object.getPrototypeOf(found?.fields)).toBe(Object.prototype)
})

it('variables of templates: what a prototype has is missing, and what is given is found', () => {
  const template = compileTemplate('{{constructor}}|{{__proto__}}|{{toString}}')
  expect(() => template.render(JSON.parse('{}'))).toThrow('constructor, __proto__, toString')
  expect(template.render(JSON.parse('{"__proto__": "p", "constructor": "c", "toString": "t"}'))).toBe('c|p|t')
})

it('diffs of prompts', () => {
  const prompt = (/** @type {object} */ more) => ({ id: 'x', title: 't', fields: { content: 'a', ...more } })
  const diff = new PromptDiff()
  expect(() => diff.diff(/** @type {never} */ (prompt({})), /** @type {never} */ (prompt(fields())))).not.toThrow()
})

it('payloads of messages', async () => {
  const bus = new MessageBus()
  await bus.send('agent-b', fields())
  const { payload } = await bus.receive('agent-b')
  expect(JSON.parse(JSON.stringify(payload))).toEqual(fields())
  await bus.close()
})

it('artifacts of missions', () => {
  for (const [name, example] of Object.entries(artifactExamples)) {
    const artifact = JSON.parse(`{"__proto__": {"polluted": 1}, ${JSON.stringify(example).slice(1)}`)
    expect(validateArtifact(artifact), name).toEqual(validateArtifact({ ...example, ['__proto__']: { polluted: 1 } }))
    expect(validateArtifact(JSON.parse(`{"__proto__": ${JSON.stringify(example)}}`)).valid, name).toBe(false)
  }
})

it('skills and workspaces that are read from files', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'skills'))
  writeFileSync(join(folder, 'skills/a.json'), hostile)
  writeFileSync(join(folder, 'skills/b.yaml'), '__proto__: { polluted: 1 }\n<<: { constructor: { polluted: 2 } }\n')
  const { skills } = await loadSkills(join(folder, 'skills'))
  expect(skills).toEqual([])
  try {
    new Workspace({ name: 'w', .../** @type {object} */ (fields()) })
  } catch {
    // Refusing is fine; polluting is not.
  }
})
