// @ts-check
// A prompt library with a gate for CI: `node examples/prompt-library/gate.mjs [text of the next version]`, after
// `npm run build`. The exit code is that of the gate: 0 passed, 1 regressed, 2 inconclusive, 3 incomparable.
import { readFile } from 'node:fs/promises'
import { argv } from 'node:process'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { gateMarkdown } from '@minions/prompts/reports'

const EXIT = { passed: 0, regressed: 1, inconclusive: 2, incomparable: 3 }

const app = await createMinions({ storage: 'memory:', plugins: [prompts()] })
try {
  // What is in production, with its tests. In a real library both are in the store, or in files beside the code.
  const reply = await app.prompts.create({
    title: 'Reply',
    content: 'Dear {{name}}, thank you for your question about {{topic}}.',
  })
  const tests = await readFile(new URL('greeting.prompt.csv', import.meta.url), 'utf8')
  await app.prompts.tests.import(reply.id, 'csv', () => tests)
  await app.prompts.publish(reply.id)

  // What is proposed.
  await app.prompts.addVersion(reply.id, { content: argv[2] ?? 'Dear {{name}}, thanks for asking about {{topic}}!' })

  const report = await app.prompts.gate(reply.id, { baseline: 'production', candidate: 'latest' })
  console.log(gateMarkdown([report]))
  process.exitCode = EXIT[report.status]
} finally {
  await app.close()
}
