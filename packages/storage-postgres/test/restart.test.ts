import { Minions } from '@minions/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { binaries, type Cluster, createCluster } from './support/cluster.ts'

const note = (title: string) => ({ title, fields: { content: title } })

const needsPrograms = { meta: { needs: 'PostgreSQL on this machine: install it' } }

describe.skipIf(binaries === undefined)('a server that is stopped and started again', needsPrograms, () => {
  let cluster: Cluster
  let running = false
  beforeAll(async () => {
    cluster = await createCluster()
    cluster.start()
    running = true
  })
  afterAll(() => {
    if (running) cluster.stop('immediate')
    cluster?.remove()
  })

  it.each(['fast', 'immediate'] as const)(
    'is reported, keeps what was acknowledged, and is used again (%s)',
    async (mode) => {
      const minions = await Minions.open({ storage: postgresStorage({ connectionString: cluster.url, schema: mode }) })
      const acknowledged = new Set<string>()
      const refusals = new Set<string>()
      let done = false
      const write = async () => {
        while (!done) {
          try {
            acknowledged.add((await minions.create('note', note('kept'))).id)
          } catch (error) {
            refusals.add((error as { code: string }).code)
            await new Promise((resolve) => setTimeout(resolve, 20))
          }
        }
      }
      const writers = [write(), write(), write(), write()]
      await expect.poll(() => acknowledged.size).toBeGreaterThan(20)
      cluster.stop(mode)
      running = false
      await expect(minions.count()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      await expect(minions.create('note', note('refused'))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      const before = acknowledged.size
      cluster.start()
      running = true
      await expect.poll(() => acknowledged.size, { timeout: 10_000 }).toBeGreaterThan(before + 20)
      done = true
      await Promise.all(writers)

      expect(refusals).toEqual(new Set(['STORAGE_UNAVAILABLE']))
      const stored = new Set<string>()
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = await minions.find({ limit: 1000, ...(cursor !== undefined && { cursor }) })
        for (const { id } of page.items) stored.add(id)
        cursor = page.nextCursor
      }
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
      await minions.close()
    },
    60_000,
  )
})
