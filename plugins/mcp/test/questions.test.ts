import { createMinions } from '@minions/host'
import { serve } from '@minions/server'
import { skills } from '@minions/skills-runtime'
import { expect, it, onTestFinished } from 'vitest'
import { mcp, type ServerAnswer, type ServerQuestion } from '../src/index.ts'
import { fixture } from './conformance/server/fixture.ts'
import { openApp } from './support/open-app.ts'
import { untilConnected } from './support/until-connected.ts'

/** An app that uses the tools of another whose tools ask, with the text of what a tool says in the end. */
async function asked(ask?: (question: ServerQuestion) => Promise<ServerAnswer>) {
  const other = await openApp({}, [fixture])
  const running = await serve(other, { port: 0, withoutKey: true })
  onTestFinished(async () => {
    await running.stop()
    await other.close()
  })
  const crm = { url: `${running.url}/mcp`, tools: ['test_elicitation'], ...(ask && { ask }) }
  const app = await createMinions({ storage: 'memory:', plugins: [skills(), mcp({ servers: { crm } })] })
  onTestFinished(() => app.close())
  await untilConnected(app, ['crm'])
  const { agent_id } = await app.skills.spawn({})
  return JSON.stringify(await app.skills.run(agent_id, 'crm-test-elicitation', { message: 'Who are you?' }))
}

it('lets a server ask where someone answers, with the words and the schema of the server', async () => {
  const questions: ServerQuestion[] = []
  const said = await asked(async (question) => {
    questions.push(question)
    return { action: 'accept', content: { username: 'ada', email: 'ada@example.org' } }
  })
  expect(said).toContain('ada@example.org')
  expect(questions).toMatchObject([{ server: 'crm', message: 'Who are you?', schema: { type: 'object' } }])
})

it('tells the server when the person declines', async () => {
  expect(await asked(async () => ({ action: 'decline' }))).toContain('decline')
})

it('does not let a server ask otherwise', async () => {
  await expect(asked()).rejects.toMatchObject({
    code: expect.stringMatching(/SKILL_FAILED|SERVER_REFUSED|TOOL_FAILED/),
  })
})
