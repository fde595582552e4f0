import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { GateReportSchema } from '../gate/gate-report.js'
import { promptsRef } from '../ref.js'
import { AssertionsSchema, assertionJudge, hasAssertions } from '../scoring/assertions.js'
import { closed, exampleVersions, PromptName, Version } from './inputs.js'

const given = [
  ...exampleVersions,
  ['prompts.addTest', { prompt: 'Greeting', inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } }],
] as const

export const gate = defineOperation({
  name: 'prompts.gate',
  summary: 'Compare a version with one that must not get worse, on the tests of the prompt',
  description: 'Rendered prompts are judged by the assertions that the tests hold, and by those given here.',
  access: 'read',
  input: Type.Object(
    {
      prompt: PromptName,
      baseline: Type.Optional(Version('What must not get worse: a label or a version; production unless given.', 0)),
      candidate: Type.Optional(Version('What is judged: a label or a version; latest unless given.', 1)),
      margin: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'Points that it may be worse by, at most; 5 unless given.',
          examples: [5],
        }),
      ),
      ...AssertionsSchema.properties,
    },
    closed,
  ),
  output: GateReportSchema,
  examples: [{ title: 'The latest version with production', given, input: { prompt: 'Greeting' } }],
  deps: { prompts: promptsRef },
  async run({ prompt, baseline, candidate, margin, ...assertions }, { prompts }, { signal, progress }) {
    const evaluate = hasAssertions(assertions) ? assertionJudge(assertions) : undefined
    return prompts.gate(await prompts.resolve(prompt), {
      baseline,
      candidate,
      margin,
      evaluate,
      signal,
      onProgress: ({ done, total, test }) => progress({ done, total, message: test.title }),
    })
  },
})
