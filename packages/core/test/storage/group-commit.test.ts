import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CommitGroup, GroupCommit, RunAgain, type StorageTransaction } from '../../src/storage/index.js'

type Entry = string

/** A transaction on a list of texts: `put` appends one, `count` says how many there are. */
interface ListTransaction extends StorageTransaction {
  append(entry: Entry): void
}

/** A list that is committed in groups, and faults for its commits. */
class ListGroup implements CommitGroup<ListTransaction> {
  committed: Entry[] = []
  readonly groups: number[] = []
  /** Of each member that entered, whether it was told that it is alone. */
  readonly told: boolean[] = []
  /** What the next commits do. */
  readonly faults: ('fail' | 'again' | undefined)[] = []
  /** What a member fails with that the list cannot bear: the whole group is lost. */
  fatal = new Error('fatal')
  #pending: Entry[] = []
  #marks = new Map<ListTransaction, number>()
  /** A member that was told that it is alone. */
  #alone: ListTransaction | undefined
  #isOpen = false

  begin(): Promise<void> | undefined {
    if (this.#isOpen) throw new Error('two groups at a time')
    this.#pending = []
    this.#marks.clear()
    this.#alone = undefined
    const open = (): undefined => {
      this.#isOpen = true
    }
    return this.groups.length % 2 === 0 ? open() : turn().then(open)
  }

  enter(alone: boolean): ListTransaction {
    if (!this.#isOpen) throw new Error('no group has begun')
    if (this.#alone || (alone && this.#marks.size > 0)) throw new Error('a member that is alone, and another')
    this.told.push(alone)
    const append = (entry: Entry) => {
      this.#pending.push(entry)
    }
    const tx = {
      append,
      put: async (entry: Entry) => append(entry),
      count: async () => this.committed.length + this.#pending.length,
    } as unknown as ListTransaction
    this.#marks.set(tx, this.#pending.length)
    if (alone) this.#alone = tx
    return tx
  }

  leave(): void {}

  /** One that is alone need not be undone by itself. */
  undo(tx: ListTransaction): boolean {
    const mark = this.#marks.get(tx) ?? 0
    this.#marks.delete(tx)
    if (this.#pending.splice(mark).includes('fatal') || (tx === this.#alone && this.groups.length % 2 === 1)) {
      this.#isOpen = false
      return false
    }
    return true
  }

  commit(): Promise<void> | undefined {
    this.#isOpen = false
    const fault = this.faults.shift()
    if (fault === 'fail') throw new Error('disk full')
    if (fault === 'again') throw new RunAgain(new Error('too often'))
    this.committed.push(...this.#pending)
    this.groups.push(this.#pending.length)
    return this.groups.length % 3 === 0 ? turn() : undefined
  }

  rollback(): void {
    if (!this.#isOpen) throw new Error('there is no group to give up')
    this.#isOpen = false
  }
}

const put = (tx: StorageTransaction, entry: Entry) => tx.put(entry, [])

let time = 0

beforeEach(() => {
  // A group ends after a while, which a busy machine may take in the middle of one.
  vi.spyOn(performance, 'now').mockImplementation(() => time)
})

afterEach(() => vi.restoreAllMocks())

describe('transactions that share a commit', () => {
  it('are one group when they come together, and each has its own result', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const results = await Promise.all(
      ['a', 'b', 'c'].map((entry) =>
        commits.run(async (tx) => {
          const before = await tx.count('', { words: [] })
          await put(tx, entry)
          return before
        }),
      ),
    )
    expect(results).toEqual([0, 1, 2])
    expect(group).toMatchObject({ committed: ['a', 'b', 'c'], groups: [3] })
  })

  it('are told whether they are alone: nobody waits, or each is run by itself', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    await commits.write((tx) => tx.append('a'))
    await commits.run((tx) => put(tx, 'b'))
    expect(group.told.splice(0)).toEqual([true, true])
    await Promise.all([commits.write((tx) => tx.append('c')), commits.write((tx) => tx.append('d'))])
    await Promise.all([commits.run((tx) => put(tx, 'e')), commits.run((tx) => put(tx, 'f'))])
    expect(group.told.splice(0)).toEqual([false, false, false, false])
    group.faults.push('fail')
    await Promise.all([commits.write((tx) => tx.append('g')), commits.write((tx) => tx.append('h'))])
    expect(group.told.splice(0)).toEqual([false, false, true, true])
    group.faults.push('again')
    await Promise.all([commits.write((tx) => tx.append('i')), commits.write((tx) => tx.append('j'))])
    expect(group.told).toEqual([false, false, false, false])
    expect(group.committed.join('')).toBe('abcdefghij')
  })

  it('come back in one group when they all waited for one commit', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const caller = async (name: string) => {
      for (let step = 0; step < 5; step++) await commits.write((tx) => tx.append(`${name}${step}`))
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(caller))
    expect(group.groups).toEqual([4, 4, 4, 4, 4])
  })

  it('are one group for fifty milliseconds, and five hundred at the most', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const slow = (entry: Entry) => (tx: ListTransaction) => {
      time += 20
      tx.append(entry)
    }
    await Promise.all([...'abcde'].map((entry) => commits.write(slow(entry))))
    expect(group.groups.splice(0)).toEqual([3, 2])
    const halves = (entry: Entry) => (tx: ListTransaction) => {
      time += 25
      tx.append(entry)
    }
    await Promise.all([...'fghi'].map((entry) => commits.write(halves(entry))))
    expect(group.groups.splice(0)).toEqual([3, 1])
    await Promise.all(Array.from({ length: 1001 }, () => commits.write((tx) => tx.append('.'))))
    expect(group.groups).toEqual([500, 500, 1])
  })

  it('begin a new group when all of one have failed', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const failing = (tx: ListTransaction) => {
      tx.append('half')
      throw new Error('mine')
    }
    for (const entry of ['a', 'b', 'c']) {
      const outcomes = await Promise.allSettled([commits.write(failing), commits.write(failing)])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await commits.write((tx) => tx.append(entry))
    }
    expect(group).toMatchObject({ committed: ['a', 'b', 'c'], groups: [1, 1, 1] })
  })

  it('fail alone: the others are committed, and none of what the failed one wrote', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const failing = commits.run(async (tx) => {
      await put(tx, 'half')
      throw new Error('mine')
    })
    const outcomes = await Promise.allSettled([
      commits.write((tx) => tx.append('a')),
      failing,
      commits.write((tx) => {
        tx.append('half')
        throw new Error('also mine')
      }),
      commits.write((tx) => tx.append('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(group).toMatchObject({ committed: ['a', 'b'], groups: [2] })
  })

  it('are run again one by one when their commit fails, so that the error is that of one', async () => {
    const group = new ListGroup()
    group.faults.push('fail', undefined, 'fail')
    const commits = new GroupCommit(group)
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((entry) => commits.write((tx) => tx.append(entry))))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(group.committed).toEqual(['a', 'c'])
  })

  it('survive one that takes the whole group with it', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const outcomes = await Promise.allSettled([
      commits.write((tx) => tx.append('a')),
      commits.write((tx) => {
        tx.append('fatal')
        throw group.fatal
      }),
      commits.write((tx) => tx.append('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(group.committed.sort()).toEqual(['a', 'b'])
  })

  it('are run again together, ten times at the most', async () => {
    const group = new ListGroup()
    group.faults.push('again', 'again')
    const commits = new GroupCommit(group)
    let runs = 0
    await commits.run(async (tx) => {
      runs += 1
      await put(tx, 'a')
    })
    expect({ runs, committed: group.committed }).toEqual({ runs: 3, committed: ['a'] })
    group.faults.push(...Array.from({ length: 10 }, () => 'again' as const))
    await expect(commits.write((tx) => tx.append('b'))).rejects.toMatchObject({ message: 'too often' })
    expect(group.committed).toEqual(['a'])
  })

  it('do not wait for one that waits for something else: it runs again by itself, never twice at a time', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const events: string[] = []
    let running = 0
    const first = commits.write((tx) => tx.append('first')).then(() => events.push('first'))
    const slow = commits
      .run(async (tx) => {
        running += 1
        events.push(`slow begins, ${running} running`)
        try {
          await put(tx, 'slow')
          await sleep(20)
          await put(tx, 'slow again')
        } finally {
          running -= 1
        }
      })
      .then(() => events.push('slow'))
    const last = commits.write((tx) => tx.append('last')).then(() => events.push('last'))
    await Promise.all([first, slow, last])
    expect(events).toEqual(['slow begins, 1 running', 'first', 'last', 'slow begins, 1 running', 'slow'])
    expect(group.committed).toEqual(['first', 'last', 'slow', 'slow again'])
  })

  it('pass on the error of one that waited in vain', async () => {
    const commits = new GroupCommit(new ListGroup())
    const first = commits.write((tx) => tx.append('first'))
    let runs = 0
    const failing = commits.run(async () => {
      runs += 1
      await sleep(5)
      throw new Error('mine')
    })
    await expect(failing).rejects.toThrow('mine')
    await first
    expect(runs).toBe(1)
  })

  it('are refused at once if they are not functions', () => {
    const commits = new GroupCommit(new ListGroup())
    const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' })
    expect(() => commits.run('work' as never)).toThrow(refused)
    expect(() => commits.write('work' as never)).toThrow(refused)
    expect(commits.isBusy).toBe(false)
  })

  it('see the context of their own callers', async () => {
    const context = new AsyncLocalStorage<string>()
    const commits = new GroupCommit(new ListGroup())
    const caller = (name: string) => context.run(name, () => commits.run(async () => context.getStore()))
    expect(await Promise.all(['a', 'b', 'c'].map(caller))).toEqual(['a', 'b', 'c'])
  })

  it('reject all who waited when a group cannot begin, and go on', async () => {
    const group = new ListGroup()
    const begin = group.begin.bind(group)
    const commits = new GroupCommit(group)
    const refusals = [
      () => {
        throw new Error('busy')
      },
      () => Promise.reject(new Error('busy')),
    ]
    for (const refuse of refusals) {
      group.begin = () => {
        group.begin = begin
        return refuse()
      }
      const outcomes = await Promise.allSettled(['a', 'b'].map((entry) => commits.write((tx) => tx.append(entry))))
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await commits.write((tx) => tx.append('c'))
    }
    expect(group.committed).toEqual(['c', 'c'])
  })

  it('are idle when the last of them has ended', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    await commits.idle()
    const first = commits.write((tx) => tx.append('first'))
    expect(commits.isBusy).toBe(true)
    await commits.idle()
    expect(group.committed.splice(0)).toEqual(['first'])
    expect(commits.isBusy).toBe(false)
    await first
    const writes = Promise.allSettled([
      commits.write((tx) => tx.append('a')),
      commits.run(async (tx) => {
        await sleep(5)
        await put(tx, 'b')
      }),
    ])
    expect(commits.isBusy).toBe(true)
    await commits.idle()
    expect(group.committed).toEqual(['a', 'b'])
    expect(commits.isBusy).toBe(false)
    await writes
  })

  it('are idle when the last of them has failed, by itself or in its commit', async () => {
    const group = new ListGroup()
    const commits = new GroupCommit(group)
    const failed = commits.write(() => {
      throw new Error('mine')
    })
    await expect(failed).rejects.toThrow('mine')
    expect(commits.isBusy).toBe(false)
    group.faults.push('fail')
    const refused = expect(commits.write((tx) => tx.append('a'))).rejects.toThrow()
    await commits.idle()
    await refused
    expect(commits.isBusy).toBe(false)
  })

  it('happen once if they succeed and not at all if they fail, in some order, whatever goes wrong', async () => {
    const member = fc.record({
      kind: fc.constantFrom('atOnce', 'microtasks', 'turn'),
      fails: fc.constantFrom('never', 'never', 'never', 'before', 'after', 'fatal'),
      comesAfter: fc.nat({ max: 3 }),
    })
    const fault = fc.constantFrom(undefined, undefined, 'fail', 'again')
    const property = fc.asyncProperty(fc.array(member, { maxLength: 30 }), fc.array(fault), async (members, faults) => {
      const group = new ListGroup()
      group.faults.push(...faults)
      const commits = new GroupCommit(group)
      const seen: number[] = []
      const outcomes = await Promise.allSettled(
        members.map(async ({ kind, fails, comesAfter }, index) => {
          for (let count = 0; count < comesAfter; count++) await turn()
          const fail = (when: string) => {
            if (fails === when) throw new Error(`member ${index}`)
          }
          if (kind === 'atOnce') {
            return commits.write((tx) => {
              fail('before')
              tx.append(fails === 'fatal' ? 'fatal' : `${index}`)
              fail('after')
              fail('fatal')
            })
          }
          await commits.run(async (tx) => {
            seen[index] = await tx.count('', { words: [] })
            fail('before')
            if (kind === 'turn') await turn()
            await put(tx, fails === 'fatal' ? 'fatal' : `${index}`)
            fail('after')
            fail('fatal')
          })
        }),
      )
      const succeeded = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`${index}`] : []))
      expect([...group.committed].sort()).toEqual(succeeded.sort())
      // What a transaction has read is what was there before it: all those that are before it in the list.
      for (const [position, entry] of group.committed.entries()) {
        if (members[Number(entry)]?.kind !== 'atOnce') expect(seen[Number(entry)]).toBe(position)
      }
      for (const [index, { fails }] of members.entries()) {
        const outcome = outcomes[index]
        if (fails !== 'never')
          expect(outcome).toMatchObject({ status: 'rejected', reason: { message: `member ${index}` } })
      }
    })
    await fc.assert(property, { seed: 20_261, numRuns: 300 })
  })
})
