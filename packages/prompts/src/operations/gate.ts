import { Type } from 'typebox'
import { GateReportSchema } from '../gate/gate-report.js'
import { AssertionsSchema, assertionJudge, hasAssertions } from '../scoring/assertions.js'
import { exampleVersions, operation, PromptName, Version } from './inputs.js'

const given = [
  ...exampleVersions,
  ['prompts.addTest', { prompt: 'Greeting', inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } }],
] as const

export const gate = operation({
  name: 'prompts.gate',
  summary: 'Compare a version with a baseline, on the tests of the prompt',
  description: 'Rendered prompts are judged by the assertions of the tests, and by those given here.',
  access: 'read',
  input: {
    prompt: PromptName,
    baseline: Type.Optional(Version('The baseline: a label or a version; default production.', 0)),
    candidate: Type.Optional(Version('The candidate: a label or a version; default latest.', 1)),
    margin: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Margin in points by which it may be worse and still pass; default 5.',
        examples: [5],
      }),
    ),
    ...AssertionsSchema.properties,
  },
  output: GateReportSchema,
  examples: [{ title: 'The latest version with production', given, input: { prompt: 'Greeting' } }],
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
