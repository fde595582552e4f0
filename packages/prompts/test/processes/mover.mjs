// @ts-check
// Tries to be the one that moves a label, round after round: `node mover.mjs <storage> <name> <rounds>`. Waits for a line on
// standard input before each round, and writes `won` or `lost` after it.
import { argv, exit, stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'

const [, , storage = '', name = '', rounds = '0'] = argv
const app = await createMinions({ storage, plugins: [prompts()] })
stdout.write('ready\n')
let round = 0
for await (const _ of createInterface({ input: stdin })) {
  const move = round++
  try {
    await app.prompts.labels.set('p', 'staging', (move % 2) + 1, { ifMove: move, by: name })
    stdout.write('won\n')
  } catch (error) {
    const { code, details } = /** @type {{ code?: string, details?: { by?: string } }} */ (error)
    stdout.write(code === 'CONFLICT' ? `lost ${details?.by}\n` : `${error}\n`)
  }
  if (round === Number(rounds)) break
}
await app.close()
exit(0)
