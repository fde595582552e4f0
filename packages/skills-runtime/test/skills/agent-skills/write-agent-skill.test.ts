import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type SkillRecord, writeAgentSkill } from '../../../src/index.js'
import { parseFrontMatter } from '../../../src/skills/agent-skills/front-matter.js'
import { agentSkillIssues } from '../../../src/skills/agent-skills/standard.js'

const record = (more: Partial<SkillRecord> = {}): SkillRecord => ({
  name: 'Navigate-To',
  version: '1.2.0',
  parameters_schema: { type: 'object', properties: { place: { type: 'string' } } },
  ...more,
})

const readBack = (skill: SkillRecord) => {
  const { name, files } = writeAgentSkill(skill)
  const read = parseFrontMatter(files.get('SKILL.md') ?? '')
  if (!('attributes' in read)) throw new Error(read.message)
  return { ...read, name, issues: agentSkillIssues(read.attributes, name) }
}

it('writes a skill of ours so that the standard accepts it and nothing is lost', () => {
  const { files, name, missing } = writeAgentSkill(record({ description: 'Drives there.', tags: ['motion'] }))
  expect(name).toBe('navigate-to')
  expect(missing).toEqual([])
  expect(JSON.parse(files.get('references/parameters.json') ?? '')).toEqual(record().parameters_schema)
  const read = readBack(record({ description: 'Drives there.', tags: ['motion'] }))
  expect(read.issues).toEqual([])
  expect(read.attributes).toMatchObject({
    description: 'Drives there.',
    metadata: { version: '1.2.0', tags: 'motion' },
  })
})

it('writes any description, tag and text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('a --- b', '---', '"', "'", ': #', '\u0007', '\ufeff', '- [x](y)', '{{a}}', '&a *b !c', '\n---\n'),
  )
  fc.assert(
    fc.property(text, text, text, (description, tag, instructions) => {
      const skill = record({ description, tags: [tag], instructions })
      const read = readBack(skill)
      expect(read.issues).toEqual([])
      if (description.trim() !== '') expect(read.attributes.description).toBe(description.trim().toWellFormed())
      expect(read.attributes.metadata).toMatchObject({ tags: tag.toWellFormed() })
    }),
    { seed: 20_261, numRuns: 300 },
  )
})

it('says which files a record only names', () => {
  const source = {
    digest: 'x',
    metadata: {},
    files: [
      { path: 'SKILL.md', size: 1 },
      { path: 'scripts/a.sh', size: 1 },
    ],
  }
  expect(writeAgentSkill(record({ agent_skill: source })).missing).toEqual(['scripts/a.sh'])
  expect(() => writeAgentSkill(record({ name: '---' }))).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
})
