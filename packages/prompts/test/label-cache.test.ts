import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { prompts } from '../src/index.js'
import { counting } from './support/counting.js'

fc.configureGlobal({ seed: 20_240_118 })

const folder = mkdtempSync(join(tmpdir(), 'minions-labels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = (storage: StorageBackend) => createMinions({ storage, plugins: [prompts()] })

describe('what a label stands for', () => {
  it('is read once, and again after anything it depends on has changed', async () => {
    const { storage, queries } = counting(memoryStorage())
    const app = await open(storage)
    const { id } = await app.prompts.create({ title: 'P', name: 'p', content: 'zero {{name}}' })
    const v1 = await app.prompts.addVersion('p', { content: 'one {{name}}' })
    await app.prompts.labels.set('p', 'staging', 1)
    const render = () => app.prompts.render('p', { name: 'Ada' }, { label: 'staging' })
    const reads = async (work: () => Promise<unknown>) => {
      const before = queries()
      await work()
      return queries() - before
    }
    expect(await reads(render)).toBeGreaterThan(0)
    expect(await reads(render)).toBe(0)
    expect(await reads(() => app.prompts.labels.resolve('p', 'staging', 'key'))).toBe(0)
    const changes: [string, () => Promise<unknown>][] = [
      ['zero Ada', () => app.prompts.labels.set('p', 'staging', 0)],
      ['one Ada', () => app.prompts.labels.set('p', 'staging', 1)],
      ['uno Ada', () => app.update(v1.id, { fields: { content: 'uno {{name}}' } })],
      ['uno Ada', () => app.prompts.variables.define('p', { name: 'name' })],
      ['uno Ada', () => app.prompts.variables.remove('p', 'name')],
      ['uno Ada', () => app.prompts.update('p', { title: 'Q' })],
    ]
    for (const [text, change] of changes) {
      await change()
      expect(await render()).toBe(text)
      expect(await reads(render)).toBe(0)
    }
    // Changes of other things leave it alone.
    await app.create('note', { title: 'n', fields: { content: 'n' } })
    await app.prompts.create({ title: 'Other', content: 'x' })
    expect(await reads(render)).toBe(0)
    // The name comes to stand for another prompt.
    await app.prompts.rename('p', 'old')
    await app.prompts.create({ title: 'New', name: 'p', content: 'new' })
    await expect(render()).rejects.toMatchObject({ code: 'LABEL_UNKNOWN' })
    expect(await app.prompts.render(id, { name: 'Ada' }, { label: 'staging' })).toBe('uno Ada')
    await app.softDelete(v1.id)
    await expect(app.prompts.render('old', { name: 'Ada' }, { label: 'staging' })).rejects.toMatchObject({
      code: 'DELETED',
    })
    await app.close()
  })

  it('is never older than what this process has done, whatever it does at the same time', async () => {
    const step = fc.record({ kind: fc.constantFrom('set', 'set', 'read', 'read', 'edit', 'rename'), to: fc.nat(2) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const app = await open(memoryStorage())
        await app.prompts.create({ id: 'p', title: 'P', name: 'p0', content: 'zero' })
        const versions = [
          await app.prompts.addVersion('p', { content: 'one' }),
          await app.prompts.addVersion('p', { content: 'two' }),
        ]
        await app.prompts.labels.set('p', 'staging', 0)
        const work = {
          set: (to: number) => app.prompts.labels.set('p', 'staging', to),
          read: () => app.prompts.render('p', {}, { label: 'staging' }),
          edit: (to: number) => app.update(versions[to % 2]?.id ?? '', { fields: { content: `edited ${to}` } }),
          rename: (to: number) => app.prompts.rename('p', `p${to}`),
        }
        const running = steps.map(({ kind, to }) => work[kind](to))
        await Promise.all(running)
        const resolved = await app.prompts.labels.resolve('p', 'staging')
        const target = (await app.prompts.labels.get('p', 'staging'))?.targets[0]?.versionId ?? ''
        expect(resolved).toEqual(await app.get(target))
        await app.close()
      }),
      { numRuns: 50 },
    )
  })

  it('follows what other processes change', async () => {
    const path = join(folder, 'shared.db')
    const [here, there] = [await open(sqliteStorage({ path })), await open(sqliteStorage({ path }))]
    await here.prompts.create({ title: 'P', name: 'p', content: 'zero' })
    await here.prompts.addVersion('p', { content: 'one' })
    await here.prompts.labels.set('p', 'staging', 0)
    const render = () => there.prompts.render('p', {}, { label: 'staging' })
    expect(await render()).toBe('zero')
    await here.prompts.labels.set('p', 'staging', 1)
    await vi.waitFor(async () => expect(await render()).toBe('one'), 10_000)
    const { id } = await here.prompts.labels.resolve('p', 'staging')
    await here.update(id, { fields: { content: 'uno' } })
    await vi.waitFor(async () => expect(await render()).toBe('uno'), 10_000)
    for (const app of [here, there]) await app.close()
  })

  it('is read each time where other processes cannot be followed', async () => {
    const path = join(folder, 'blind.db')
    const blind = () => {
      const backend = sqliteStorage({ path })
      return Object.assign(backend, { capabilities: { ...backend.capabilities, changes: false } })
    }
    const [here, there] = [await open(blind()), await open(blind())]
    await here.prompts.create({ title: 'P', name: 'p', content: 'zero' })
    await here.prompts.addVersion('p', { content: 'one' })
    await here.prompts.labels.set('p', 'staging', 0)
    expect(await there.prompts.render('p', {}, { label: 'staging' })).toBe('zero')
    await here.prompts.labels.set('p', 'staging', 1)
    expect(await there.prompts.render('p', {}, { label: 'staging' })).toBe('one')
    for (const app of [here, there]) await app.close()
  })

  it('is read from the store while the feed is broken off, and kept again afterwards', async () => {
    const path = join(folder, 'broken.db')
    const backend = sqliteStorage({ path })
    const { changes } = backend
    let isBroken = false
    const failing = Object.assign(backend, {
      changes: (request: Parameters<NonNullable<typeof changes>>[0]) =>
        isBroken ? Promise.reject(new Error('no feed')) : changes?.call(backend, request),
    }) as StorageBackend
    const counted = counting(failing)
    const app = await open(counted.storage)
    const other = await open(sqliteStorage({ path }))
    await app.prompts.create({ title: 'P', name: 'p', content: 'zero' })
    await app.prompts.addVersion('p', { content: 'one' })
    await app.prompts.labels.set('p', 'staging', 0)
    const render = () => app.prompts.render('p', {}, { label: 'staging' })
    const reads = async () => {
      const before = counted.queries()
      await render()
      return counted.queries() - before
    }
    await render()
    isBroken = true
    await other.prompts.labels.set('p', 'staging', 1)
    await vi.waitFor(async () => expect(await render()).toBe('one'), 10_000)
    expect(await reads()).toBeGreaterThan(0)
    isBroken = false
    await vi.waitFor(async () => expect(await reads()).toBe(0), 10_000)
    for (const one of [app, other]) await one.close()
  })
})
