import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exampleMission } from '@minions/colony'
import type { JsonObject } from '@minions/core/json'
import { createMinions } from '@minions/host'
import { server } from '@minions/server'
import { expect, it, onTestFinished } from 'vitest'
import { TaskClient } from './support/task-client.ts'

const SERVER = fileURLToPath(new URL('support/killable-server.mjs', import.meta.url))

/** Times that the server is killed: a few in every run, and as many as MINIONS_MCP_KILLS says. */
const KILLS = Number(process.env.MINIONS_MCP_KILLS ?? 3)

interface Running {
  readonly url: string
  readonly child: ChildProcess
}

async function started(storage: string, folder: string, delay: number): Promise<Running> {
  const child = spawn(process.execPath, [SERVER, storage, folder, String(delay)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return { url: line.trim(), child }
}

async function kill({ child }: Running): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A store with a key, and a client for whichever server serves it. */
async function prepared() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const storage = `sqlite:${join(folder, 'store.db')}`
  const app = await createMinions({ storage, plugins: [server()] })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['write'] })
  await app.close()
  const clientOf = ({ url }: Running) => new TaskClient((request) => fetch(request), `${url}/mcp?access=write`, key)
  return { folder, storage, clientOf }
}

/** The artifacts of a mission without what differs from run to run: times, and ids of prompts that a store gave. */
function artifactsIn(result: JsonObject): string[] {
  const volatile = /(_at|_ms|^template_id|^tokens_used|^execution_id|^tool_trace_refs)$/
  return (result.artifacts as JsonObject[])
    .map((artifact) => JSON.stringify(artifact, (name, value: unknown) => (volatile.test(name) ? undefined : value)))
    .sort()
}

it('keeps a mission that is a task alive through kills of its server, and makes the same artifacts', {
  timeout: 600_000,
}, async () => {
  const calm = await prepared()
  const unhurt = await started(calm.storage, calm.folder, 0)
  const calmClient = calm.clientOf(unhurt)
  const { taskId: calmTask } = await calmClient.call('missions_run', { envelope: exampleMission.envelope })
  const expected = await calmClient.settled(calmTask)
  await kill(unhurt)

  const { folder, storage, clientOf } = await prepared()
  let running = await started(storage, folder, 600)
  const { taskId } = await clientOf(running).call('missions_run', { envelope: exampleMission.envelope })
  let kills = 0
  let interrupted = 0
  while (kills < KILLS) {
    await new Promise((resolve) => setTimeout(resolve, 100 + 137 * (kills % 7)))
    await kill(running)
    kills++
    running = await started(storage, folder, kills < KILLS ? 600 : 0)
    const { status } = await clientOf(running).get(taskId)
    expect(['working', 'completed']).toContain(status)
    if (status === 'working') interrupted++
  }
  expect(interrupted).toBeGreaterThan(KILLS / 2)
  const task = await clientOf(running).settled(taskId)
  expect(task).toMatchObject({ status: 'completed', result: { structuredContent: { status: 'completed' } } })
  expect(artifactsIn(task.result?.structuredContent as JsonObject)).toEqual(
    artifactsIn(expected.result?.structuredContent as JsonObject),
  )
})
