import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deterministicRoles, type Roles } from '../src/index.ts'
import { createApp, envelope, folder } from './support/app.ts'
import { task } from './support/graphs.ts'

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('a mission uses an Agent Skill: its text, a reference, a script, and no tool that the skill does not ask for', async () => {
  write(
    'skills/count-words/SKILL.md',
    '---\nname: count-words\ndescription: Counts words.\nallowed-tools: shout\n---\nRead the rules, then count.\n',
  )
  write('skills/count-words/references/rules.md', 'Words are separated by spaces.')
  write('skills/count-words/scripts/count.sh', 'echo "$1" | wc -w\n')
  const { prompt_master } = deterministicRoles()
  const told: unknown[] = []
  const worker: Roles['worker'] = async (_, context) => {
    const call = (name: string, parameters = {}) =>
      context.tool(name, parameters).catch(({ code, details }) => ({ code, verdict: details.verdict }))
    told.push(
      await call('whisper'),
      await call('count-words'),
      await call('count-words', { resource: 'references/rules.md' }),
      await call('count-words--count', { args: ['one two three'] }),
      await call('shout'),
      await call('whisper'),
      await call('colony-worker'),
    )
    return { output_text: 'done', confidence: 1 }
  }
  const allowed_tools = ['count-words', 'count-words--count', 'shout', 'whisper', 'colony-worker']
  const planned = [task('package', [], { role_type: 'prompt_master' }), task('use', ['package'], { allowed_tools })]
  const app = await createApp({
    roles: { planner: () => ({ tasks: planned }), prompt_master, worker },
    tools: { shout: () => 'AH', whisper: () => 'ah' },
    skills: { load: [join(folder, 'skills')] },
  })
  const mission = envelope()
  expect(await app.colony.run(mission)).toMatchObject({ status: 'completed' })
  expect(told).toMatchObject([
    'ah',
    { instructions: 'Read the rules, then count.', scripts: ['count-words--count'] },
    { text: 'Words are separated by spaces.' },
    { exit_code: 0, stdout: expect.stringMatching(/^\s*3\n$/) },
    'AH',
    { code: 'POLICY_DENIED', verdict: 'NOT_IN_SKILL' },
    { code: 'POLICY_DENIED', verdict: 'NOT_IN_SKILL' },
  ])
  const executions = await app.skills.executions({ skill_name: 'count-words--count' })
  expect(executions).toMatchObject([{ status: 'success' }])
  expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
  await app.close()
})
