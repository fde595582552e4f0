import { expect, test } from 'vitest'
import { createApp, envelope } from './support/app.ts'

test('the example speaks of each lead in whole sentences', async () => {
  const app = await createApp()
  const { artifacts } = await app.colony.run(envelope())
  const texts = artifacts.filter(({ schema_name }) => schema_name === 'worker_result').map((each) => each.output_text)
  expect(texts.map((text) => / wants (.*) and scores /.exec(String(text))?.[1])).toEqual([
    'a marina-facing penthouse',
    'two waterfront units to let',
    'a beach villa with a mooring',
    'a one-bedroom with a canal view',
  ])
  await app.close()
})
