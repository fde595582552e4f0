import { type ProjectChoices, withRequired } from '../choices.js'

/** The program that `npm start` runs: a few lines for each area. */
export function mainFile(choices: ProjectChoices): string {
  const areas = withRequired(choices.areas)
  const parts = [
    `  const task = await app.create('task', { title: 'Look round', priority: 'high' })
  console.log('created', task.title)`,
    ...(areas.includes('prompts') ? [PROMPTS] : []),
    ...(areas.includes('skills') ? [SKILLS] : []),
    ...(areas.includes('missions') ? [MISSION] : []),
  ]
  const imports = [
    ...(areas.includes('missions') ? ["import { exampleMission } from '@minions/colony'"] : []),
    ...(areas.includes('skills')
      ? ["import { defineSkill } from '@minions/skills-runtime'", "import { Type } from 'typebox'"]
      : []),
    "import { openApp } from './app.mjs'",
  ]
  return `// @ts-check
${imports.join('\n')}

const app = await openApp()
try {
${parts.join('\n\n')}
} finally {
  await app.close()
}
`
}

const PROMPTS = `  const greeting = await app.prompts.create({ title: 'Greeting', content: 'Hello {{name}}!' })
  console.log('rendered', await app.prompts.render(greeting.id, { name: 'Ada' }))`

const SKILLS = `  const double = defineSkill({
    name: 'double',
    version: '1.0.0',
    parameters_schema: Type.Object({ number: Type.Number() }),
    execute: async ({ number }) => ({ result: number * 2 }),
  })
  app.skills.registry.registerSkill(double)
  const agent = await app.skills.spawn({ name: 'calculator' })
  console.log('ran', await app.skills.run(agent.agent_id, double, { number: 21 }))`

const MISSION = `  // A mission of its own each time; the example needs no model.
  const envelope = { ...exampleMission.envelope, mission_id: crypto.randomUUID() }
  const { status, artifacts } = await app.colony.run(envelope)
  console.log('mission', status, 'with', artifacts.length, 'artifacts')`

/** The test that `npm test` runs, on memory. */
export function testFile(choices: ProjectChoices): string {
  const hasPrompts = withRequired(choices.areas).includes('prompts')
  const prompt = `
  const greeting = await app.prompts.create({ title: 'Greeting', content: 'Hello {{name}}!' })
  assert.equal(await app.prompts.render(greeting.id, { name: 'Ada' }), 'Hello Ada!')
`
  return `// @ts-check
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApp } from '../src/app.mjs'

test('the app keeps what it is given', async (t) => {
  const app = await openApp('memory:')
  t.after(() => app.close())
  await app.create('task', { title: 'Look round', priority: 'high' })
  const { items } = await app.find({ type: 'task', where: { priority: 'high' } })
  assert.deepEqual(items.map(({ title }) => title), ['Look round'])
${hasPrompts ? prompt : ''}})
`
}
