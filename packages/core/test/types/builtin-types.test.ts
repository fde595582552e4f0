import { describe, expect, it } from 'vitest'
import { createMinion, SPEC_VERSION } from '../../src/index.js'
import { typeProblems } from '../../src/schemas/index.js'
import { agentType, builtinTypes, minionTypeType, thoughtType } from '../../src/types/index.js'

/** Fields of the built-in types: `!` marks a required one, options follow in parentheses. */
const TABLE: Record<string, string> = {
  note: 'content:textarea!',
  link: 'url:url! description:textarea',
  file: 'filename:string! fileUrl:url! fileSize:number mimeType:string',
  contact: 'name:string! email:email phone:string company:string notes:textarea',
  agent: 'role:string model:string systemPrompt:textarea temperature:number maxTokens:number tools:tags',
  team: 'members:tags strategy:select(round_robin,parallel,sequential) maxConcurrency:number',
  thought: 'content:textarea! confidence:number source:string',
  'prompt-template': 'template:textarea! variables:tags outputFormat:select(text,json,markdown)',
  'test-case': 'input:json! expectedOutput:json assertions:json timeout:number',
  task: 'input:json output:json executionStatus:select(pending,running,completed,failed,cancelled) startedAt:date completedAt:date error:textarea',
}

describe('built-in types', () => {
  it('have exactly the specified fields', () => {
    const written = builtinTypes.map((type) => [
      type.slug,
      type.schema
        .map(
          ({ name, type: kind, required, options }) =>
            `${name}:${kind}${options ? `(${options})` : ''}${required ? '!' : ''}`,
        )
        .join(' '),
    ])
    expect(Object.fromEntries(written)).toEqual(TABLE)
  })

  it('decision 1.1: have the ids builtin-<slug>, and are system types', () => {
    for (const type of builtinTypes) expect(type).toMatchObject({ id: `builtin-${type.slug}`, isSystem: true })
  })

  it('are usable and deeply frozen', () => {
    for (const type of [...builtinTypes, minionTypeType]) {
      expect(typeProblems(type)).toEqual([])
      expect(Object.isFrozen(type.schema)).toBe(true)
      for (const field of type.schema) expect(Object.isFrozen(field)).toBe(true)
    }
  })

  it('decision 1.24: ranges of temperature and confidence', () => {
    const agent = (temperature: number) =>
      createMinion({ title: 'A', fields: { temperature } }, agentType).validation.valid
    expect([-0.1, 0, 2, 2.1].map(agent)).toEqual([false, true, true, false])
    const thought = (confidence: number) =>
      createMinion({ title: 'T', fields: { content: 'x', confidence } }, thoughtType).validation.valid
    expect([-0.1, 0, 1, 1.1].map(thought)).toEqual([false, true, true, false])
  })

  it('decision 1.21: the version is that of the specification', () => {
    expect(SPEC_VERSION).toBe('0.1.0')
  })
})
