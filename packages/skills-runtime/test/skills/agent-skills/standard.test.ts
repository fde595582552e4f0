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
    // The continuation of a quoted text at the margin, which YAML 1.2 does not allow and the other validator takes.
    expect([...ours, 781].sort((a, b) => a - b)).toEqual(accepted)
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
