// @ts-check
// Uses the plugin: `node examples/plugin/main.mjs`, after `npm run build`.
import { createMinions, runOperation } from '@minions/host'
import feedback from './feedback.mjs'

const app = await createMinions({ storage: 'memory:', plugins: [feedback()] })
await app.feedback.give({ about: 'docs', stars: 3 })
console.log(await runOperation(app, 'feedback.give', { about: 'docs', stars: 5 }))
await runOperation(app, 'feedback.give', { about: 'docs', stars: 6 }).catch((error) => console.log(error.code))
await app.close()
