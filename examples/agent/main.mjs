// @ts-check
// An agent with two skills on a local model: `node examples/agent/main.mjs "Shall I go to Kiel today?"`, after
// `npm run build`. MINIONS_MODEL names the model, by default llama3 of an Ollama on this machine.
import { argv, env } from 'node:process'
import { createMinions } from '@minions/host'
import { models } from '@minions/models'
import { agent, agents } from '@minions/models/agents'
import { defineSkill, skills } from '@minions/skills-runtime'
import { Type } from 'typebox'

const City = Type.Object({ city: Type.String({ description: 'Name of the city.' }) })

const weather = defineSkill({
  name: 'weather',
  version: '1.0.0',
  description: 'The weather in a city today.',
  parameters_schema: City,
  execute: async ({ city }) => ({ city, celsius: 21, sky: 'clear' }),
})

const ferries = defineSkill({
  name: 'ferries',
  version: '1.0.0',
  description: 'When ferries leave from a city today.',
  parameters_schema: City,
  execute: async ({ city }) => ({ city, departures: ['09:30', '14:00'] }),
})

const guide = agent({
  name: 'guide',
  prompt: 'You plan day trips. Look up the weather and the ferries before you answer, in one sentence.',
  skills: [weather, ferries],
  maxSteps: 6,
})

const app = await createMinions({
  storage: 'memory:',
  plugins: [
    models({ default: env.MINIONS_MODEL ?? 'openai-compatible:http://127.0.0.1:11434/v1#llama3' }),
    skills(),
    agents({ agents: [guide] }),
  ],
})
try {
  const { text } = await app.agents.ask('guide', { input: argv[2] ?? 'Shall I go to Kiel today?' })
  console.log(text)
  // Every skill that the model used was run by a subagent, and is on record.
  for (const { name, state } of await app.skills.list()) console.log(`- ${name}: ${state}`)
} finally {
  await app.close()
}
