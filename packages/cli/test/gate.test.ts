import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

/** A prompt with tests from CSV, and a version beside what is published. */
async function withTests(version: string): Promise<Minions> {
  const minions = new Minions()
  await minions.json(['prompts', 'new', '--title', 'Bot', '--content', 'Dear {{name}}.'])
  writeFileSync(minions.path('cases.csv'), 'name,test.title,test.contains\nAda,First,Ada\nBo,Second,Bo\n')
  expect(await minions.json(['prompts', 'import-tests', 'bot', 'cases.csv'])).toEqual({ added: 2 })
  await minions.json(['prompts', 'version', 'bot', '--content', version])
  return minions
}

describe('prompts gate', { timeout: 60_000 }, () => {
  it('ends with 0 and 1, and writes reports', async () => {
    const minions = await withTests('Hi {{name}}.')
    expect(await minions.here(['prompts', 'gate', '--baseline', 'production'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^bot: passed\. All 2 tests/),
    })
    await minions.json(['prompts', 'version', 'bot', '--content', 'Hi.'])
    const files = ['--junit', 'a.xml', '--markdown', 'a.md', '--html', 'a.html', '--annotations']
    const red = await minions.here(['prompts', 'gate', 'bot', ...files])
    expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining('::error title=bot') })
    expect(readFileSync(minions.path('a.xml'), 'utf8')).toContain('failures="3"')
    expect(readFileSync(minions.path('a.md'), 'utf8')).toContain('❌')
    expect(readFileSync(minions.path('a.html'), 'utf8')).toContain('Dear Ada.')
  })

  it('ends with 2 where too little is known, and with 3 where nothing can be compared or a judge fails', async () => {
    const minions = await withTests('Hi {{name}}.')
    writeFileSync(
      minions.path('judge.mjs'),
      'export default (text) => ({ scores: { tone: text.startsWith("Hi") ? 20 : 80 }, passed: true })',
    )
    const judged = ['prompts', 'gate', 'bot', '--evaluator', 'judge.mjs']
    expect(await minions.here(judged)).toMatchObject({ code: 2 })
    expect(await minions.here(['prompts', 'gate', 'bot', '--baseline', 'staging'])).toMatchObject({ code: 3 })
    writeFileSync(minions.path('down.mjs'), 'export default () => { throw new Error("no tokens left") }')
    // One at a time, so that it is the first test on the first version that fails.
    const down = ['prompts', 'gate', 'bot', '--evaluator', 'down.mjs', '--concurrency', '1']
    expect(await minions.here(down)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/EVALUATION_FAILED: Test "First" on version 0 .*no tokens left/),
    })
  })

  it('keeps what was answered when it is interrupted, and goes on from there', async () => {
    const minions = await withTests('Hi {{name}}.')
    writeFileSync(
      minions.path('ask.mjs'),
      `import { appendFileSync, existsSync } from 'node:fs'
       export default async (text) => {
         appendFileSync('asked.txt', text + '\\n')
         if (text === 'Hi Bo.' && !existsSync('go')) {
           process.stderr.write('waiting')
           await new Promise((resolve) => setTimeout(resolve, 60_000))
         }
         return text
       }`,
    )
    const args = ['prompts', 'gate', 'bot', '--answer', 'ask.mjs', '--concurrency', '1']
    const cut = await minions.run(args, { interruptAt: /waiting/ })
    expect(cut).toMatchObject({ code: 130, stderr: expect.stringContaining('the answers so far are kept') })
    expect(
      existsSync(minions.path('answers')) ||
        readdirSync(minions.home, { recursive: true }).some((name) => String(name).includes('answers')),
    ).toBe(true)
    writeFileSync(minions.path('go'), '')
    expect(await minions.here(args)).toMatchObject({ code: 0 })
    const asked = readFileSync(minions.path('asked.txt'), 'utf8').trim().split('\n')
    // Tests that were added in one millisecond are in no order. What was answered before the interruption is not asked again.
    expect(asked.sort()).toEqual(['Dear Ada.', 'Dear Bo.', 'Hi Ada.', 'Hi Bo.', 'Hi Bo.'])
  })
})
