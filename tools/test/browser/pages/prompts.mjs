// @ts-check
import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { compareScores, evaluators, PromptDiff, PromptRenderer, PromptsApi, promptPluginTypes } from '@minions/prompts'
import { refusal } from '../refusal.mjs'

export async function observe() {
  const client = await Minions.open({ storage: memoryStorage(), types: promptPluginTypes })
  const prompts = new PromptsApi(client)
  const prompt = await prompts.create({ title: 'Greeting', content: 'Hi {{name}}.\nBe brief.', tags: ['a', 'b'] })
  const version = await prompts.addVersion(prompt.id, { content: 'Good day, {{name}}!\nBe brief.', tags: ['a', 'c'] })
  await prompts.publish(version.id)
  const test = await prompts.tests.create(prompt.id, { inputVariables: { name: 'Ada' }, scoringDimensions: ['tone'] })
  const result = await prompts.tests.run(version.id, test.id, { scores: { tone: 90 }, passed: true })

  const differ = new PromptDiff()
  const seen = {
    rendered: await prompts.render(prompt.id, { name: 'Ada' }),
    path: new PromptRenderer().render('C:\\\\{{name}}', { name: 'Ada' }),
    history: (await prompts.history(prompt.id)).map(({ fields }) => fields.content.split('\n')[0]),
    diff: differ.format(await prompts.diff(prompt.id, version.id)).split('\n'),
    hash: String(Object(result.fields.metadata).contentHash).length,
    verdict: compareScores([60, 65, 70, 55, 62, 71, 58, 66].map((tone) => ({ a: { tone }, b: { tone: tone + 10 } })))
      .verdict,
    malformed: await refusal(() => prompts.create({ title: 'Broken', content: '{{#if a}}' })),
    passed: evaluators.all(evaluators.contains('Ada'), evaluators.regex('^H'))('Hi Ada').passed,
    schema: await refusal(() => {
      const { passed } = evaluators.jsonSchema({ type: 'object', required: ['a'] })('{"a":1}')
      if (!passed) throw new Error('the schema was not understood')
    }),
  }
  await client.close()
  return seen
}

export const expected = {
  rendered: 'Good day, Ada!\nBe brief.',
  path: 'C:\\Ada',
  history: ['Hi {{name}}.', 'Good day, {{name}}!'],
  diff: [
    '+ versionNumber: 1',
    '~ tags',
    '  [',
    '    "a"',
    '-   "b"',
    '+   "c"',
    '  ]',
    '~ content',
    '- Hi {{name}}.',
    '+ Good day, {{name}}!',
    '  Be brief.',
  ],
  hash: 64,
  verdict: 'b',
  malformed: 'TEMPLATE_INVALID',
  passed: true,
  schema: 'nothing was thrown',
}
