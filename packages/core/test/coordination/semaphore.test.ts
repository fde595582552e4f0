import { describe, expect, it } from 'vitest'
import { Mutex, MutexPool, Semaphore } from '../../src/coordination/index.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('Semaphore', () => {
  it.each([1, 3])('lets %i run at once, first come, first served', async (limit) => {
    const semaphore = new Semaphore(limit)
    const begun: number[] = []
    let running = 0
    let most = 0
    const work = (index: number) =>
      semaphore.run(async () => {
        begun.push(index)
        running++
        most = Math.max(most, running)
        await turn()
        running--
        if (index % 3 === 0) throw new Error('failed')
        return index
      })
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => work(index)))
    expect(most).toBe(limit)
    expect(begun).toEqual([...Array(20).keys()])
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(7)
  })

  it('gives a free slot at once, and a released one to the first in line and no other', async () => {
    const semaphore = new Semaphore(1)
    expect(semaphore.isFree).toBe(true)
    expect(semaphore.acquire()).toBeUndefined()
    expect(semaphore.isFree).toBe(false)
    const order: string[] = []
    const first = semaphore.acquire()?.then(() => order.push('first'))
    semaphore.release()
    // The slot belongs to the first already, although it has not noticed yet.
    const second = semaphore.acquire()?.then(() => order.push('second'))
    await first
    semaphore.release()
    await second
    expect(semaphore.isFree).toBe(false)
    semaphore.release()
    expect(semaphore.isFree).toBe(true)
    expect(order).toEqual(['first', 'second'])
    expect(semaphore.acquire()).toBeUndefined()
  })

  it('forgets a caller that gives up, and skips none behind it', async () => {
    const semaphore = new Semaphore(1)
    const reason = new Error('no longer')
    const controller = new AbortController()
    semaphore.acquire()
    const given = semaphore.acquire(controller.signal)
    const next = semaphore.acquire(new AbortController().signal)
    controller.abort(reason)
    await expect(given).rejects.toBe(reason)
    semaphore.release()
    await next
    semaphore.release()
    expect(semaphore.acquire()).toBeUndefined()
    expect(() => semaphore.acquire(controller.signal)).toThrow(reason)
  })

  it('refuses at once what is not work and what is not a signal, even where a slot is not free', async () => {
    const semaphore = new Semaphore(1)
    semaphore.acquire()
    const refused = { name: 'MinionsError', code: 'VALIDATION_FAILED' }
    await expect(semaphore.run('work' as never)).rejects.toMatchObject(refused)
    expect(() => semaphore.acquire('signal' as never)).toThrow(expect.objectContaining(refused))
    semaphore.release()
    expect(semaphore.isFree).toBe(true)
  })

  it('lets more or fewer run when the limit changes', async () => {
    const semaphore = new Semaphore(2)
    const entered: number[] = []
    for (let index = 0; index < 6; index++) void Promise.resolve(semaphore.acquire()).then(() => entered.push(index))
    await turn()
    expect(entered).toEqual([0, 1])
    semaphore.limit = 4
    await turn()
    expect(entered).toEqual([0, 1, 2, 3])
    semaphore.limit = 2.5
    // Four run, and three may: the first slot that is given back is not handed on.
    for (const expected of [4, 5, 6]) {
      semaphore.release()
      await turn()
      expect(entered).toHaveLength(expected)
    }
  })

  it('keeps the order of callers that take their place first and get ready later', async () => {
    const mutex = new Mutex()
    const locations = Array.from({ length: 4 }, () => mutex.acquire())
    const order: number[] = []
    const through = async (index: number) => {
      await locations[index]
      order.push(index)
      mutex.release()
    }
    const late = [3, 1].map(through)
    await turn()
    expect(order).toEqual([])
    void locations[2]?.then(() => mutex.release())
    await through(0)
    await Promise.all(late)
    expect(order).toEqual([0, 1, 3])
    expect(mutex.acquire()).toBeUndefined()
  })
})

describe('MutexPool', () => {
  it('shares a mutex by name as long as it has users', () => {
    const pool = new MutexPool()
    const first = pool.open('a')
    expect(pool.open('a')).toBe(first)
    expect(pool.open('b')).not.toBe(first)
    pool.close('a')
    expect(pool.open('a')).toBe(first)
    pool.close('a')
    pool.close('a')
    pool.close('a')
    expect(pool.open('a')).not.toBe(first)
  })
})
