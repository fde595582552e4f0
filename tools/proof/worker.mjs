// @ts-check
// A worker of a proof: `node worker.mjs '{"storage": …, "concurrency": 8}'`. Says "ready" and works until it is killed.
import { argv } from 'node:process'
import { openApp, openMissions } from './app.mjs'

const options = JSON.parse(argv[2] ?? '{}')
const app = await (options.missions ? openMissions(options) : openApp(options))
const worker = await app.jobs.work({ concurrency: options.concurrency ?? 8 })
process.stdout.write('ready\n')
// It ends with the proof that started it.
process.stdin.on('end', () => process.exit(1)).resume()
process.on('SIGTERM', async () => {
  await worker.stop(5000)
  await app.close()
  process.exit(0)
})
