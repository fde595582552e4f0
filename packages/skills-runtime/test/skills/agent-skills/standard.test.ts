import { describe, expect, it, test } from 'vitest'
import { parseFrontMatter } from '../../../src/skills/agent-skills/front-matter.js'
import { agentSkillIssues } from '../../../src/skills/agent-skills/standard.js'
import accepted from './accepted-mutations.json' with { type: 'json' }
import { FIXTURES, mutation } from './fixtures.js'

function issuesOf(text: string, folder: string): readonly { code: string }[] {
  const read = parseFrontMatter(text)
  return 'attributes' in read ? agentSkillIssues(read.attributes, folder) : [read]
}

describe('the rules of the Agent Skills standard', () => {
  test.each(FIXTURES)('$rule: $valid', ({ text, folder, valid }) => {
    expect(issuesOf(text, folder).length === 0).toBe(valid)
  })

  it('decides a thousand mutations as its own validator does', () => {
    const ours = Array.from({ length: 1000 }, (_, index) => index + 1).filter((seed) => {
      const { text, folder } = mutation(seed)
      return issuesOf(text, folder).length === 0
    })
    expect(ours).toEqual(accepted)
  })

  it.each([
    ['description: "Reads\nforms"', 'Reads forms'],
    ["description: 'Reads\n\nforms\nand fills'", 'Reads\nforms and fills'],
    ['description: x\nmetadata:\n  note: "one\n two"', 'x'],
    ['description: "never\nclosed', undefined],
    ['description: "Reads\n...\nforms"', undefined],
    ['description: "Reads\nforms" and more', undefined],
    [`description: "${'a\n'.repeat(5000)}`, undefined],
  ])('reads a quoted text that goes on at the margin: %j', (lines, description) => {
    const read = parseFrontMatter(`---\nname: pdf\n${lines}\n---\nText\n`)
    expect('attributes' in read ? read.attributes.description : undefined).toBe(description)
  })

  it('reports every rule that is broken at once', () => {
    const text = `---\nname: -PDF--\nversion: 1\ncompatibility: ${'x'.repeat(501)}\n---\n`
    expect(issuesOf(text, 'pdf').map(({ code }) => code)).toEqual([
      'UNKNOWN_ATTRIBUTE',
      'NOT_LOWERCASE',
      'HYPHEN_AT_END',
      'HYPHENS',
      'FOLDER_NAME',
      'REQUIRED',
      'TOO_LONG',
    ])
  })
})
