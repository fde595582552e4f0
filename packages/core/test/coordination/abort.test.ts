import fc from 'fast-check'
import { expect, test } from 'vitest'
import { abortable, cancelOnAbort } from '../../src/coordination/index.js'

test('what may be aborted settles as the work does, or with the reason of the signal', async () => {
  const never = new Promise<number>(() => {})
  const abort = new AbortController()
  expect(await abortable(Promise.resolve(5), undefined)).toBe(5)
  expect(await abortable(Promise.resolve(6), abort.signal)).toBe(6)
  await expect(abortable(Promise.reject(new Error('own')), abort.signal)).rejects.toThrow('own')
  const raw = new TypeError('raw')
  await expect(abortable(Promise.reject(raw), undefined)).rejects.toBe(raw)
  const waiting = abortable(never, abort.signal)
  abort.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(abortable(never, abort.signal)).rejects.toThrow('enough')
})

test('work is cancelled when the signal is aborted before it ends, and not afterwards', async () => {
  const abort = new AbortController()
  let cancelled = 0
  const cancel = () => cancelled++
  expect(await cancelOnAbort(undefined, cancel, async () => 1)).toBe(1)
  expect(await cancelOnAbort(abort.signal, cancel, async () => 2)).toBe(2)
  await expect(cancelOnAbort(abort.signal, cancel, () => Promise.reject(new Error('own')))).rejects.toThrow('own')
  const raw = new TypeError('raw')
  await expect(cancelOnAbort(abort.signal, cancel, () => Promise.reject(raw))).rejects.toBe(raw)
  let end = () => {}
  const work = cancelOnAbort(abort.signal, cancel, () => new Promise<void>((resolve) => (end = resolve)))
  expect(cancelled).toBe(0)
  abort.abort()
  expect(cancelled).toBe(1)
  end()
  await work
  await cancelOnAbort(abort.signal, cancel, async () => {})
  expect(cancelled).toBe(2)
})

test('works that share signals are cancelled as with a listener for each', async () => {
  const step = fc.record({
    what: fc.constantFrom('start', 'start', 'end', 'abort'),
    signal: fc.nat(2),
    work: fc.nat(30),
  })
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const aborts = Array.from({ length: 3 }, () => new AbortController())
    const works: { readonly end: () => void; readonly done: Promise<void>; readonly expected: () => void }[] = []
    const cancelled: number[] = []
    const expected: number[] = []
    for (const { what, signal: at, work } of steps) {
      const { signal } = aborts[at] as AbortController
      if (what === 'abort') aborts[at]?.abort()
      else if (what === 'end') {
        const ended = works[work]
        ended?.end()
        await ended?.done
        for (const { signal: each } of aborts) if (ended) each.removeEventListener('abort', ended.expected)
      } else {
        const id = works.length
        const plain = () => expected.push(id)
        if (signal.aborted) plain()
        else signal.addEventListener('abort', plain, { once: true })
        let end = () => {}
        const until = new Promise<void>((resolve) => (end = resolve))
        const done = cancelOnAbort(
          signal,
          () => cancelled.push(id),
          () => until,
        )
        works.push({ end, done, expected: plain })
      }
      expect(cancelled).toEqual(expected)
    }
    for (const { end } of works) end()
    await Promise.all(works.map(({ done }) => done))
  })
  await fc.assert(property)
})
