import type { MissionTaskGraph } from '@minions/colony-contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Roles, TaskQueue } from '../src/index.ts'
import { createApp, envelope } from './support/app.ts'
import { done, task, workersFor } from './support/graphs.ts'

const graphOf = (tasks: ReturnType<typeof task>[]) => ({ tasks }) as unknown as MissionTaskGraph

describe('the queue', () => {
  test('refuses what is not a graph, and lets errors of its caller through', () => {
    const done = [] as never
    for (const graph of [{}, { tasks: 5 }, { tasks: [null] }, { tasks: [{ task_id: 'a', depends_on: true }] }]) {
      expect(() => new TaskQueue().add(graph as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
    expect(() => new TaskQueue().add(graphOf([task('a')]), done)).toThrow(/cannot work with these arguments/)
    const failing = new TaskQueue(() => {
      throw new TypeError('of the caller')
    })
    expect(() => failing.add(graphOf([task('a')]))).toThrow('of the caller')
  })

  test('gives every task once, after all it depends on, whatever the graph', () => {
    const graphs = fc
      .integer({ min: 1, max: 25 })
      .chain((size) => fc.array(fc.array(fc.nat(size), { maxLength: 4 }), { minLength: size, maxLength: size }))
    fc.assert(
      fc.property(graphs, fc.infiniteStream(fc.nat()), (links, picks) => {
        const tasks = links.map((before, index) =>
          task(
            `t${index}`,
            [...new Set(before.filter((each) => each < index))].map((each) => `t${each}`),
          ),
        )
        const queue = new TaskQueue()
        queue.add(graphOf(tasks))
        const running: string[] = []
        const finished = new Set<string>()
        for (;;) {
          for (let next = queue.next(); next; next = queue.next()) {
            expect(next.depends_on.every((id) => finished.has(id))).toBe(true)
            running.push(next.task_id)
          }
          if (running.length === 0) break
          const [id] = running.splice((picks.next().value ?? 0) % running.length, 1)
          finished.add(id as string)
          queue.complete(id as string)
        }
        expect(finished.size).toBe(tasks.length)
      }),
      { numRuns: 100 },
    )
  })

  test('takes the most urgent first, then the first in the graph', () => {
    const queue = new TaskQueue()
    queue.add(graphOf([task('c'), task('a', [], { priority: 9 }), task('b', [], { priority: 1 }), task('d')]))
    expect([1, 2, 3, 4].map(() => queue.next()?.task_id)).toEqual(['b', 'c', 'd', 'a'])
    expect(queue.next()).toBeUndefined()
  })
})

describe('a mission', () => {
  test('starts a task when its last dependency has finished, and no more at once than allowed', async () => {
    const tasks = [task('a'), task('b'), task('c', ['a']), task('d', ['a', 'b']), task('e', ['d']), task('f')]
    let active = 0
    let most = 0
    const order: string[] = []
    const worker: Roles['worker'] = async (input, context) => {
      active += 1
      most = Math.max(most, active)
      expect(input.read('worker_result').map((each) => each.output_text)).toEqual(
        expect.arrayContaining(input.task.depends_on),
      )
      await new Promise((resolve) => setImmediate(resolve))
      order.push(input.task.task_id)
      active -= 1
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor(tasks, worker), concurrency: 2 })
    const result = await app.colony.run(envelope())
    expect(result).toMatchObject({ status: 'completed', completed: 6 })
    expect(most).toBe(2)
    for (const { task_id, depends_on } of tasks) {
      for (const id of depends_on) expect(order.indexOf(id)).toBeLessThan(order.indexOf(task_id))
    }
    await app.close()
  })

  const broken = [task('bad'), task('after', ['bad']), task('later', ['after']), task('other'), task('end', ['other'])]
  const failing: Roles['worker'] = (input, context) => {
    if (input.task.task_id === 'bad') throw new Error('no luck')
    return done(input, context)
  }

  test('under `continue` a failed task blocks only what depends on it', async () => {
    const app = await createApp({ roles: workersFor(broken, failing), onFailure: 'continue' })
    const { tasks, status, error } = await app.colony.run(envelope())
    expect(status).toBe('failed')
    expect(error).toContain('no luck')
    const states = Object.fromEntries(tasks.map((each) => [each.task_id, each.status]))
    expect(states).toEqual({
      bad: 'failed',
      after: 'blocked',
      later: 'blocked',
      other: 'completed',
      end: 'completed',
    })
    await app.close()
  })

  test('under `fail` nothing starts after the failure', async () => {
    const app = await createApp({ roles: workersFor(broken, failing), onFailure: 'fail', concurrency: 1 })
    const { tasks, status } = await app.colony.run(envelope())
    expect(status).toBe('failed')
    expect(tasks.filter((each) => each.status === 'completed')).toEqual([])
    expect(tasks.find((each) => each.task_id === 'other')?.status).toBe('cancelled')
    await app.close()
  })

  test('under `retry` a task is tried again, a bounded number of times', async () => {
    let calls = 0
    const flaky: Roles['worker'] = (input, context) => {
      if (input.task.task_id === 'bad' && ++calls < 3) throw new Error('not yet')
      expect(input.task.task_id !== 'bad' || context.attempt === 3).toBe(true)
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor(broken, flaky), onFailure: 'retry', maxAttempts: 3 })
    expect(await app.colony.run(envelope())).toMatchObject({ status: 'completed', completed: 5 })
    expect(calls).toBe(3)
    calls = -1
    const again = await app.colony.run(envelope(), { maxAttempts: 2 })
    expect(again).toMatchObject({ status: 'failed' })
    expect(again.tasks[0]).toMatchObject({ task_id: 'bad', status: 'failed', attempt: 2 })
    await app.close()
  })

  test('fails with what is wrong when a role returns something else than it must', async () => {
    const roles: Roles = workersFor([task('a')], () => ({ output_text: 'x', confidence: 2 }))
    const app = await createApp({ roles })
    const result = await app.colony.run(envelope())
    expect(result.tasks[0]?.error).toContain('/confidence')
    const cyclic: Roles = { planner: () => ({ tasks: [task('a', ['b']), task('b', ['a'])] }) }
    const other = await createApp({ roles: cyclic })
    expect((await other.colony.run(envelope())).error).toContain('cycle')
    await app.close()
    await other.close()
  })

  test.each([
    ['mission_id', '7c1d3a52-4e0b-4c7e-9a61-2f5b8e4d1c90'],
    ['tenant_id', 'tenant_other'],
    ['actor_id', 'somebody'],
    ['task_id', 'b'],
  ])('stores nothing under another %s than its own', async (field, value) => {
    const app = await createApp({
      roles: workersFor([task('a'), task('b')], () => ({ output_text: '', confidence: 1, [field]: value })),
    })
    const result = await app.colony.run(envelope())
    expect(result.tasks[0]).toMatchObject({ status: 'failed', error: expect.stringContaining(`/${field} must be`) })
    await app.close()
  })

  test('a new plan holds for the tasks that wait for it', async () => {
    const order: string[] = []
    const roles: Roles = {
      planner: ({ graph }) =>
        graph
          ? { tasks: [...graph.tasks.slice(0, 2), task('draft', ['replan', 'b']), task('b', ['replan'])] }
          : { tasks: [task('a'), task('replan', ['a'], { role_type: 'planner' }), task('draft', ['replan'])] },
      worker: (input, context) => {
        order.push(input.task.task_id)
        return done(input, context)
      },
    }
    const app = await createApp({ roles })
    const mission = envelope()
    expect(await app.colony.run(mission)).toMatchObject({ status: 'completed', completed: 4 })
    expect(order).toEqual(['a', 'b', 'draft'])
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })

  test('planners take turns, so that none undoes what another has planned', async () => {
    const roles: Roles = {
      planner: async ({ graph, task: own }) => {
        await new Promise((resolve) => setImmediate(resolve))
        if (graph === undefined) return { tasks: ['p', 'q'].map((id) => task(id, [], { role_type: 'planner' })) }
        return { tasks: [...graph.tasks, task(`by_${own?.task_id}`, [own?.task_id ?? ''])] }
      },
      worker: done,
    }
    const app = await createApp({ roles })
    const mission = envelope()
    const result = await app.colony.run(mission)
    expect(result).toMatchObject({ status: 'completed', completed: 4, total: 4 })
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })

  test('a new plan cannot change a task that may have begun', async () => {
    const roles: Roles = {
      planner: ({ graph }) => ({
        tasks: graph
          ? graph.tasks.map((each) => (each.task_id === 'a' ? { ...each, objective: 'Something else.' } : each))
          : [task('a'), task('replan', ['a'], { role_type: 'planner' })],
      }),
      worker: done,
    }
    const app = await createApp({ roles })
    const { tasks } = await app.colony.run(envelope())
    expect(tasks[1]).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('/tasks/0 changes the task "a"'),
    })
    await app.close()
  })

  test('takes in the tasks that a planner among them adds', async () => {
    const plan = [task('a'), task('replan', ['a'], { role_type: 'planner' })]
    const roles: Roles = {
      worker: done,
      planner: ({ graph }) => ({ tasks: graph ? [...graph.tasks, task('b', ['replan'])] : plan }),
    }
    const app = await createApp({ roles })
    const mission = envelope()
    const result = await app.colony.run(mission)
    expect(result).toMatchObject({ status: 'completed', completed: 3 })
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })
})
