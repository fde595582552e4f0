import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { colony, deterministicRoles, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import type { JsonObject } from '@minions/core/json'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcp } from '../src/index.ts'
import { hasPeers, needsPeers, peer } from './support/peers.ts'
import { untilConnected } from './support/until-connected.ts'

const TOOLS = [
  'files-write-file',
  'files-read-text-file',
  'memory-create-entities',
  'memory-read-graph',
  'everything-get-sum',
]

/** Roles of the example whose workers use the tools of other servers. */
function rolesWith(folder: string, used: Map<string, JsonObject>, denied: string[]) {
  const roles = deterministicRoles()
  const plan = roles.planner
  const assess = roles.worker
  return {
    ...roles,
    planner: async (...given: Parameters<typeof plan>) => {
      const { tasks } = await plan(...given)
      return {
        tasks: tasks.map((task) =>
          task.role_type === 'worker' ? { ...task, allowed_tools: [...task.allowed_tools, ...TOOLS] } : task,
        ),
      }
    },
    worker: async (...given: Parameters<typeof assess>) => {
      const [{ task }, context] = given
      const path = join(folder, `${task.task_id}.txt`)
      const use = async (name: string, input: JsonObject) =>
        used.set(name, (await context.tool(name, input)) as JsonObject)
      await use('files-write-file', { path, content: task.task_id })
      await use('files-read-text-file', { path })
      await use('memory-create-entities', {
        entities: [{ name: task.task_id, entityType: 'task', observations: ['done'] }],
      })
      await use('memory-read-graph', {})
      await use('everything-get-sum', { a: 20, b: 22 })
      await context
        .tool('files-list-directory', { path: folder })
        .catch((error: { code: string }) => denied.push(error.code))
      return assess(...given)
    },
  }
}

describe.skipIf(!hasPeers)('official servers', { timeout: 180_000 }, () => {
  it('have tools that run as skills in a mission, within what its tasks allow', {
    meta: { needs: needsPeers },
  }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-peers-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const used = new Map<string, JsonObject>()
    const denied: string[] = []
    const app = await createMinions({
      storage: 'memory:',
      plugins: [
        prompts(),
        workspace({ store: 'storage', configDir: folder }),
        colonyContracts(),
        skills(),
        colony({ roles: rolesWith(folder, used, denied) }),
        mcp({
          servers: {
            files: peer('filesystem', [folder]),
            memory: peer('memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.json') }),
            everything: peer('everything'),
          },
        }),
      ],
    })
    onTestFinished(() => app.close())
    await untilConnected(app, ['files', 'memory', 'everything'])
    expect(Object.keys(app.mcp.tools().files ?? {}).length).toBeGreaterThan(10)
    expect(Object.values(app.mcp.tools().memory ?? {})).toContain('memory-create-entities')
    const { envelope } = exampleMission
    const result = await app.colony.run(envelope)
    expect(result).toMatchObject({ status: 'completed' })
    expect([...used.keys()].sort()).toEqual([...TOOLS].sort())
    expect(JSON.stringify(used.get('everything-get-sum'))).toContain('42')
    expect(JSON.stringify(used.get('memory-read-graph'))).toContain('task_worker_0')
    expect(readFileSync(join(folder, 'task_worker_01.txt'), 'utf8')).toBe('task_worker_01')
    expect(new Set(denied)).toEqual(new Set(['POLICY_DENIED']))
    const executions = (await runOperation(app, 'executions.list', { skill: 'files-write-file' })) as unknown as {
      status: string
    }[]
    expect(executions.length).toBe(4)
    expect(executions.every(({ status }) => status === 'success')).toBe(true)
  })
})
