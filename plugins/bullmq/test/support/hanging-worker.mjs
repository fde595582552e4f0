// @ts-check
// A worker in a process of its own that begins a job and never ends it: `node hanging-worker.mjs <path> <url> <prefix>`.
import { argv } from 'node:process'
import { bullmqCollections, bullmqExecutor } from '@minions/bullmq'
import { Store } from '@minions/core/storage'
import { jobsCollections } from '@minions/skills-runtime/jobs'
import { sqliteStorage } from '@minions/storage-sqlite'

const [, , path = '', url = '', prefix = ''] = argv
const store = await Store.open(sqliteStorage({ path }), [...jobsCollections, ...bullmqCollections])
const executor = await bullmqExecutor({ url, prefix, store, leaseMs: 1000 })
await executor.connect({
  worker_id: 'hanging',
  concurrency: 1,
  tags: [],
  skills: () => [{ name: 'walk', version: '1.0.0' }],
  perform: () => {
    process.stdout.write('began\n')
    return new Promise(() => {})
  },
})
process.stdout.write('ready\n')
