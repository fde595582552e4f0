import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Store } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterEach, expect, it } from 'vitest'
import { defineSkill, SubagentManager, skillsCollections } from '../../../src/index.js'

let folder = ''
let child: ChildProcess | undefined

afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function start(path: string, way: string) {
  const script = fileURLToPath(new URL('lease-child.mjs', import.meta.url))
  const started = spawn(process.execPath, [script, path, way], { stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
  /** The next line, without its first word. */
  const next = async (word: string): Promise<string> => {
    const { value } = (await lines.next()) as { value?: string }
    expect(value?.split(' ')[0]).toBe(word)
    return value?.split(' ')[1] ?? ''
  }
  return { started, next }
}

it.each(['return', 'checkpoint'])(
  'a process that was paused, and wakes when another runs its subagent, cannot commit a %s',
  async (way) => {
    folder = mkdtempSync(join(tmpdir(), 'minions-lease-'))
    const path = join(folder, 'store.db')
    const { started, next } = start(path, way)
    const agentId = await next('stopping')

    const store = await Store.open(sqliteStorage({ path }), skillsCollections)
    const manager = await SubagentManager.open({ storage: store, leaseMs: 1500 })
    let finish = () => {}
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve
    })
    manager.registry.registerSkill(
      defineSkill({
        name: 'work',
        version: '1.0.0',
        parameters_schema: { type: 'object' },
        async execute(_, context) {
          await mayFinish
          return { by: 'the second process', from: context.state }
        },
      }),
    )
    // Waits until the lease of the sleeping process has run out, and takes it over.
    expect(await manager.resume(agentId)).toMatchObject({ state: 'running' })
    started.kill('SIGCONT')
    expect(await next('outcome')).toBe('LEASE_LOST')
    expect(await manager.get(agentId)).toMatchObject({ state: 'running', results: {} })

    finish()
    const result = { by: 'the second process', from: { done: 1 } }
    expect(await manager.wait(agentId)).toMatchObject({ state: 'completed', results: { work: result } })
    expect(await manager.executions({ agent_id: agentId })).toMatchObject([{ status: 'success', result }])
    await manager.shutdown()
    await store.close()
  },
)
