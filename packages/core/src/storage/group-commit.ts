import { Fifo } from '../coordination/fifo.js'
import { requireFunction } from '../errors/guard.js'
import type { StorageTransaction } from './backend.js'
import { afterMicrotasks, inContext, nextTurn } from './event-loop.js'
import { Revocable, Revoked } from './revocable.js'

/**
 * Operations of a backend whose transactions share a commit. They run one after another, each on top of the previous
 * ones, so they are serializable; none is acknowledged before the commit.
 */
export interface CommitGroup<Tx extends StorageTransaction> {
  /** Begins a group, excluding all other writers. Undefined when that completes synchronously. */
  begin(): Promise<void> | undefined
  /** Begins a member. `alone`: it is the only one in its group, so it need not be undone separately. */
  enter(alone: boolean): Tx
  /** Ends a member whose work succeeded; throws any violation that can be detected before the commit. */
  leave(tx: Tx): void
  /** Undoes a member. False when that undid the whole group, which is then over. */
  undo(tx: Tx): boolean
  /** Makes everything durable and lets others write. If it throws, nothing was written and the group is over. */
  commit(): Promise<void> | undefined
  /** Discards uncommitted writes, and lets others write. */
  rollback(): void
}

/** Thrown by `commit`: the members are valid, but what they have read is outdated. */
export class RunAgain extends Error {
  /** Rejection of a member that was retried too often. */
  readonly error: unknown

  constructor(error: unknown) {
    super('The transactions have to be retried.')
    this.error = error
  }
}

type Run = (tx: StorageTransaction) => Promise<void>

/** A transaction that is queued, running, or waiting for its commit. */
interface Member<Tx> {
  /** Runs synchronous work. */
  readonly runAtOnce?: (tx: Tx) => void
  /** Runs asynchronous work. */
  readonly run?: Run
  resolve(): void
  reject(error: unknown): void
  /** It gets its own group: it made others wait, or it could not be determined which of them failed. */
  isAlone: boolean
  runs: number
}

interface RunningGroup<Tx> {
  /** Members that wait for the commit. */
  readonly done: Member<Tx>[]
  readonly startedAt: number
}

/** The first member of a group should not wait much longer than it would alone. */
const MOST_MEMBERS = 500
const MOST_MILLISECONDS = 50

const MOST_RUNS = 10

/** Lets transactions that arrive while others run share one commit, and so one flush to disk. */
export class GroupCommit<Tx extends StorageTransaction> {
  readonly #group: CommitGroup<Tx>
  readonly #waiting = new Fifo<Member<Tx>>()
  /** Members to be retried, ahead of those queued. */
  readonly #again: Member<Tx>[] = []
  readonly #whenIdle: (() => void)[] = []
  #members = 0
  #isLeading = false

  constructor(group: CommitGroup<Tx>) {
    this.#group = group
  }

  /** True if a transaction is queued or running. */
  get isBusy(): boolean {
    return this.#members > 0
  }

  /** Runs synchronous work, once or more, and resolves when it is committed. */
  write(work: (tx: Tx) => void): Promise<void> {
    requireFunction('GroupCommit.write', work)
    return new Promise((resolve, reject) => {
      this.#add({ runAtOnce: work, resolve, reject, isAlone: false, runs: 0 })
    })
  }

  /** Runs work, once or more but never concurrently, and resolves to its result when it is committed. */
  run<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    requireFunction('GroupCommit.run', work)
    return new Promise((resolve, reject) => {
      let result: T
      const called = inContext(work)
      const run = async (tx: StorageTransaction) => {
        result = await called(tx)
      }
      this.#add({ run, resolve: () => resolve(result), reject, isAlone: false, runs: 0 })
    })
  }

  /** Resolves when no transaction is queued or running. */
  idle(): Promise<void> {
    return this.isBusy ? new Promise((resolve) => this.#whenIdle.push(resolve)) : Promise.resolve()
  }

  #add(member: Member<Tx>): void {
    this.#members += 1
    this.#waiting.push(member)
    this.#lead()
  }

  /** Begins later, so that callers who were all waiting for one commit come back in one group. */
  #lead(): void {
    if (this.#isLeading) return
    this.#isLeading = true
    afterMicrotasks(() => this.#runNext())
  }

  /** Does not await what is already available: a write takes microseconds, and a promise is a good part of one. */
  async #runNext(): Promise<void> {
    const begun = this.#begin()
    if (begun === true || (await begun)) {
      const run = this.#runGroup()
      if (run) await run
    }
    this.#isLeading = false
    if (this.#again.length > 0 || this.#waiting.size > 0) this.#lead()
  }

  /** Begins a group. A failure to do so fails all who were waiting for it. */
  #begin(): true | Promise<boolean> {
    const [again, waiting] = [this.#again.length, this.#waiting.size]
    const refuse = (error: unknown) => {
      for (const member of this.#again.splice(0, again)) this.#reject(member, error)
      for (let count = 0; count < waiting; count++) this.#reject(this.#waiting.shift() as Member<Tx>, error)
      return false
    }
    try {
      return this.#group.begin()?.then(() => true, refuse) ?? true
    } catch (error) {
      return Promise.resolve(refuse(error))
    }
  }

  /** Runs synchronous members one after another, and switches to promises at the first asynchronous one. */
  #runGroup(): Promise<void> | undefined {
    const group: RunningGroup<Tx> = { done: [], startedAt: performance.now() }
    for (let member = this.#next(group); member !== undefined; member = this.#next(group)) {
      const alone = this.#isAlone(member, group)
      if (member.run) return this.#runRest(group, member, alone)
      if (!this.#runAtOnce(member, group.done, alone)) return undefined
      if (alone) break
    }
    return this.#finish(group.done)
  }

  async #runRest(group: RunningGroup<Tx>, first: Member<Tx>, isFirstAlone: boolean): Promise<void> {
    let [member, alone]: [Member<Tx> | undefined, boolean] = [first, isFirstAlone]
    while (member !== undefined) {
      const isOpen = member.run
        ? await this.#runMember(member, member.run, group.done, alone)
        : this.#runAtOnce(member, group.done, alone)
      if (!isOpen) return
      if (alone) break
      member = this.#next(group)
      alone = member !== undefined && this.#isAlone(member, group)
    }
    await this.#finish(group.done)
  }

  #next({ done, startedAt }: RunningGroup<Tx>): Member<Tx> | undefined {
    const next = this.#again[0] ?? this.#waiting.first
    if (next === undefined) return undefined
    if (done.length > 0 && (next.isAlone || done.length >= MOST_MEMBERS)) return undefined
    if (done.length > 0 && performance.now() - startedAt > MOST_MILLISECONDS) return undefined
    return this.#again.shift() ?? this.#waiting.shift()
  }

  #isAlone(member: Member<Tx>, { done }: RunningGroup<Tx>): boolean {
    return member.isAlone || (done.length === 0 && this.#again.length === 0 && this.#waiting.size === 0)
  }

  #finish(done: readonly Member<Tx>[]): Promise<void> | undefined {
    if (done.length > 0) return this.#commit(done)
    this.#group.rollback()
    return undefined
  }

  /** Runs a member and adds it to the finished ones. False when the group is over. */
  #runAtOnce(member: Member<Tx>, done: Member<Tx>[], alone: boolean): boolean {
    let tx: Tx | undefined
    member.runs += 1
    try {
      tx = this.#group.enter(alone)
      member.runAtOnce?.(tx)
      this.#group.leave(tx)
      done.push(member)
      return true
    } catch (error) {
      this.#reject(member, error)
      return this.#undo(tx, done)
    }
  }

  /** The same for an asynchronous member. */
  async #runMember(member: Member<Tx>, run: Run, done: Member<Tx>[], alone: boolean): Promise<boolean> {
    let tx: Tx | undefined
    member.runs += 1
    try {
      tx = this.#group.enter(alone)
      if (done.length === 0) await run(tx)
      else if (!(await this.#runInTime(member, run, tx))) {
        if (this.#undo(tx, done)) await this.#commit(done)
        return false
      }
      this.#group.leave(tx)
      done.push(member)
      return true
    } catch (error) {
      this.#reject(member, error)
      return this.#undo(tx, done)
    }
  }

  /**
   * Runs a member while others wait for their commit. Work that waits for something else, such as a timer, must not
   * hold them up: false then. It runs again, in its own group, when this run has ended.
   */
  async #runInTime(member: Member<Tx>, run: Run, tx: Tx): Promise<boolean> {
    const lent = new Revocable(tx)
    const running = run(lent)
    const turn = nextTurn()
    try {
      const isLate = await Promise.race([running, turn.passed])
      if (!isLate) return true
    } finally {
      turn.cancel()
    }
    lent.revoke()
    const again = () => this.#runAlone([member])
    running.then(again, (error) => (error instanceof Revoked ? again() : this.#reject(member, error)))
    return false
  }

  /** Undoes a member. False when that ended the group; its other members run again. */
  #undo(tx: Tx | undefined, done: readonly Member<Tx>[]): boolean {
    const isOpen = tx !== undefined && this.#group.undo(tx)
    if (tx === undefined) this.#group.rollback()
    if (!isOpen) this.#runAgain(done)
    return isOpen
  }

  #commit(done: readonly Member<Tx>[]): Promise<void> | undefined {
    try {
      return (
        this.#group.commit()?.then(
          () => this.#resolve(done),
          (error) => this.#fail(done, error),
        ) ?? this.#resolve(done)
      )
    } catch (error) {
      return this.#fail(done, error)
    }
  }

  #resolve(done: readonly Member<Tx>[]): undefined {
    for (const member of done) {
      this.#end()
      member.resolve()
    }
  }

  /** Handles a failed commit. Each of several members gets its own outcome. */
  #fail(done: readonly Member<Tx>[], error: unknown): undefined {
    if (error instanceof RunAgain) {
      for (const member of done) if (member.runs >= MOST_RUNS) this.#reject(member, error.error)
      this.#runAgain(done.filter(({ runs }) => runs < MOST_RUNS))
    } else if (done.length > 1) this.#runAlone(done)
    else for (const member of done) this.#reject(member, error)
  }

  #runAlone(members: readonly Member<Tx>[]): void {
    for (const member of members) member.isAlone = true
    this.#runAgain(members)
  }

  #runAgain(members: readonly Member<Tx>[]): void {
    this.#again.push(...members)
    this.#lead()
  }

  #reject(member: Member<Tx>, error: unknown): void {
    this.#end()
    member.reject(error)
  }

  #end(): void {
    this.#members -= 1
    if (this.#members === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}
