import { createMinions, loadConfig, runOperation } from '@minions/host'

const app = await createMinions(await loadConfig('.'))
console.log(JSON.stringify(await runOperation(app, 'visits.count', { page: '/home' })))
await app.close()
