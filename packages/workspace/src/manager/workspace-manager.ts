import { join } from 'node:path'
import { type Clock, coreError } from '@minions/core'
import { isRecord, jsonEqual, setOwn } from '@minions/core/json'
import { guardMethods, readClock, takeFunction, takeOptions } from '@minions/core/plugin'
import { retryConflicts, type StoreAccess } from '@minions/core/storage'
import { unavailable, workspaceError } from '../errors.js'
import { resolvePath } from '../files/paths.js'
import { Rule, type RuleInput } from '../graph/rule.js'
import { Workspace, type WorkspaceData } from '../graph/workspace.js'
import { encode } from '../json/edit.js'
import { Unread } from '../json/exact.js'
import { checkName, findRule, type NewWorkspace, type WorkspacePatch } from './edit-workspaces.js'
import { fingerprint, JsonFile } from './json-file.js'
import { type Candidate, merge } from './merge.js'
import type { WorkspaceProblem } from './problem.js'
import type { RecordStore } from './record-store.js'
import { findWorkspace } from './resolve-workspace.js'
import { sampleWorkspace } from './sample-workspace.js'
import { StoredRecords } from './stored-records.js'

export interface WorkspaceManagerOptions {
  readonly clock?: Clock
  /** Keep workspaces in the collection `workspacesCollection` of this store, or transaction, instead of in a file. */
  readonly storage?: StoreAccess
  /** Refuse to write, as inside a transaction that a file cannot take part in. */
  readonly readOnly?: boolean
  /** Called for damage that was worked around; `problems()` also lists it. */
  readonly onProblem?: (problem: WorkspaceProblem) => void
}

/** Workspaces by id. */
export type Workspaces = Record<string, Workspace>

/** Manages workspaces in `<configDir>/workspaces.json`, or in a store, which any number of managers may share. */
export class WorkspaceManager {
  readonly configDir: string
  readonly #options: WorkspaceManagerOptions
  readonly #records: RecordStore
  readonly #problems: WorkspaceProblem[] = []
  /** The records as this manager last read or wrote them, by id. */
  readonly #known = new Map<string, string>()
  /** The state in which each object was read or written, to detect changes by the caller. */
  readonly #baseline = new WeakMap<Workspace, string>()

  constructor(configDir: string, options: WorkspaceManagerOptions = {}) {
    this.configDir = resolvePath(configDir)
    this.#options = takeOptions('The options of a workspace manager', options)
    this.#records = this.#options.storage ? new StoredRecords(this.#options.storage) : this.#file()
  }

  /** The path of `workspaces.json`, or the name of the store. */
  get path(): string {
    return this.#records.name
  }

  /** All damage that was worked around since this manager was created. */
  problems(): readonly WorkspaceProblem[] {
    return [...this.#problems]
  }

  /** Creates a workspace without saving it. */
  createWorkspace(name: string, description = ''): Workspace {
    return new Workspace({ name, description }, this.#options)
  }

  /** Creates a workspace with example nodes, rules and state without saving it. */
  createSampleWorkspace(): Workspace {
    return sampleWorkspace(this.#options)
  }

  /** All workspaces by id; none when the file is missing or damaged. Damaged content is kept beside it and reported. */
  async loadWorkspaces(): Promise<Workspaces> {
    const { records } = await this.#records.read()
    const workspaces: Workspaces = {}
    const damaged: Record<string, unknown> = {}
    this.#known.clear()
    for (const id of Object.keys(records)) {
      const record = records[id]
      const workspace = this.#parse(id, record)
      if (workspace) setOwn(workspaces, id, workspace)
      else if (record instanceof Unread) this.#reportUnread(id, record)
      else setOwn(damaged, id, record)
    }
    if (Object.keys(damaged).length > 0) await this.#keepDamaged(damaged)
    return workspaces
  }

  /**
   * Writes the workspaces. Concurrent changes of other processes are kept: workspaces they added stay, and those not
   * changed here are left as they wrote them. A workspace known to this manager that is missing here is removed.
   */
  async saveWorkspaces(workspaces: Workspaces): Promise<void> {
    const wanted = this.#candidates(workspaces)
    await this.#records.locked(() => this.#write(workspaces, wanted))
  }

  /**
   * Loads, lets `work` change the workspaces, and saves them; resolves to the result of `work`. In a file all of it
   * happens under one lock; in a store, changes are merged as in `saveWorkspaces`.
   */
  async update<T>(work: (workspaces: Workspaces) => T | Promise<T>): Promise<T> {
    takeFunction('`work` of changeWorkspaces', work)
    return this.#records.locked(async () => {
      const workspaces = await this.loadWorkspaces()
      const result = await work(workspaces)
      await this.#write(workspaces, this.#candidates(workspaces))
      return result
    })
  }

  /** Creates a workspace and saves it. Throws `VALIDATION_FAILED` for a name that is empty or taken. */
  add(input: NewWorkspace): Promise<Workspace> {
    return this.update((workspaces) => {
      const { name, description, sample = false } = input
      checkName(workspaces, name)
      const workspace = sample ? this.createSampleWorkspace() : this.createWorkspace(name)
      workspace.name = name
      workspace.description = description ?? workspace.description
      workspaces[workspace.id] = workspace
      return workspace
    })
  }

  /** Changes the name or description. This and the following methods throw `NOT_FOUND` and `AMBIGUOUS_REFERENCE`. */
  change(ref: string, patch: WorkspacePatch): Promise<Workspace> {
    return this.#edit(ref, (workspace, workspaces) => {
      const { name = workspace.name, description = workspace.description } = patch
      if (name !== workspace.name) checkName(workspaces, name)
      workspace.name = name
      workspace.description = description
      return this.#touched(workspace)
    })
  }

  /** Removes a workspace and returns it; its folder stays. */
  remove(ref: string): Promise<Workspace> {
    return this.#edit(ref, (workspace, workspaces) => {
      delete workspaces[workspace.id]
      return workspace
    })
  }

  /** Sets one value of the state of a workspace. */
  setState(ref: string, key: string, value: unknown): Promise<Workspace> {
    return this.#edit(ref, (workspace) => {
      setOwn(workspace.state, key, value)
      return this.#touched(workspace)
    })
  }

  /** Adds a rule to a workspace. */
  addRule(ref: string, input: RuleInput): Promise<Rule> {
    return this.#edit(ref, (workspace) => {
      if (input.name.trim() === '') throw workspaceError('VALIDATION_FAILED', 'The name of a rule cannot be empty.')
      const rule = new Rule(input)
      workspace.addRule(rule)
      return rule
    })
  }

  /** Removes a rule, by its id or unique name, from a workspace. */
  removeRule(ref: string, ruleRef: string): Promise<Rule> {
    return this.#edit(ref, (workspace) => {
      const rule = findRule(workspace, ruleRef)
      workspace.removeRule(rule.id)
      return rule
    })
  }

  #edit<T>(ref: string, work: (workspace: Workspace, workspaces: Workspaces) => T): Promise<T> {
    return this.update((workspaces) => work(findWorkspace(workspaces, ref), workspaces))
  }

  #touched(workspace: Workspace): Workspace {
    workspace.updated_at = readClock(this.#options.clock)
    return workspace
  }

  #file(): RecordStore {
    const { clock, readOnly } = this.#options
    const report = (problem: WorkspaceProblem) => this.#report(problem)
    return new JsonFile(join(this.configDir, 'workspaces.json'), { report, clock, readOnly })
  }

  /** Serialises everything first, so that a value that JSON cannot represent fails before anything is touched. */
  #candidates(workspaces: Workspaces): Map<string, Candidate> {
    if (!isRecord(workspaces)) throw workspaceError('VALIDATION_FAILED', 'Workspaces must be an object by id.')
    const wanted = new Map<string, Candidate>()
    for (const id of Object.keys(workspaces)) {
      const workspace = workspaces[id]
      if (!(workspace instanceof Workspace) || workspace.id !== id) {
        const message = `The value under ${JSON.stringify(id)} is not the workspace with that id.`
        throw workspaceError('VALIDATION_FAILED', message)
      }
      const record = workspace.toDict()
      wanted.set(id, { record, changed: this.#baseline.get(workspace) !== fingerprint(record) })
    }
    return wanted
  }

  /** Writes, and retries with the current content when another process was faster. */
  #write(workspaces: Workspaces, wanted: Map<string, Candidate>): Promise<void> {
    return retryConflicts((write) => write(this.#writeOnce(workspaces, wanted)))
  }

  async #writeOnce(workspaces: Workspaces, wanted: Map<string, Candidate>): Promise<void> {
    const file = await this.#records.read()
    if (file.status === 'unreadable') throw unavailable('Reading', this.path, file.cause)
    for (const [id, { changed }] of wanted) {
      const record = Object.hasOwn(file.records, id) ? file.records[id] : undefined
      if (changed && record instanceof Unread) throw this.#wouldReplace(id, record)
    }
    // Without a file to compare with, no workspace can have been removed.
    const lost = file.status !== 'read'
    const { records, overwritten } = merge({
      file: file.records,
      wanted: lost ? new Map([...wanted].map(([id, { record }]) => [id, { record, changed: true }])) : wanted,
      known: new Set(this.#known.keys()),
      foreign: (id) => this.#known.get(id) !== fingerprint(file.records[id]),
    })
    if (lost || !sameRecords(records, file.records)) await this.#records.write(records, file)
    this.#remember(workspaces, wanted, records)
    for (const id of overwritten) this.#reportOverwritten(id)
  }

  #remember(workspaces: Workspaces, wanted: Map<string, Candidate>, written: Record<string, unknown>): void {
    this.#known.clear()
    for (const [id, { record }] of wanted) {
      this.#known.set(id, fingerprint(Object.hasOwn(written, id) ? written[id] : record))
      const workspace = workspaces[id]
      if (workspace) this.#baseline.set(workspace, fingerprint(record))
    }
  }

  #parse(id: string, raw: unknown): Workspace | undefined {
    try {
      if (!isRecord(raw) || raw instanceof Unread) return undefined
      const workspace = Workspace.fromDict({ id, ...raw } as WorkspaceData, this.#options)
      if (workspace.id !== id) return undefined
      this.#known.set(id, fingerprint(raw))
      this.#baseline.set(workspace, fingerprint(workspace.toDict()))
      return workspace
    } catch (error) {
      if (coreError.is(error, 'VALIDATION_FAILED')) return undefined
      throw error
    }
  }

  async #keepDamaged(damaged: Record<string, unknown>): Promise<void> {
    // They stay in the file in any case; where no copy can be made, that has to suffice.
    const keep = async () => this.#records.keep(Buffer.from(encode(damaged)))
    const keptAs = await keep().catch(() => undefined)
    for (const workspaceId of Object.keys(damaged)) {
      this.#report({
        code: 'WORKSPACE_UNREADABLE',
        message: `The workspace ${workspaceId} in ${this.path} is damaged. It stays there${keptAs ? ` and is kept as ${keptAs}` : ''}.`,
        path: this.path,
        workspaceId,
        ...(keptAs === undefined ? {} : { keptAs }),
      })
    }
  }

  #reportUnread(workspaceId: string, { reason }: Unread): void {
    const message = `The workspace ${workspaceId} in ${this.path} is not loaded: ${reason}, which JavaScript cannot hold. It stays in the file as it is.`
    this.#report({ code: 'WORKSPACE_UNREADABLE', message, path: this.path, workspaceId })
  }

  #wouldReplace(id: string, { reason }: Unread): Error {
    const message = `The workspace ${id} in ${this.path} cannot be replaced: ${reason} there, which JavaScript cannot hold and saving would lose. Change that value with the program that wrote it, or use another id.`
    return workspaceError('VALIDATION_FAILED', message, { details: { id, path: this.path, reason } })
  }

  #reportOverwritten(workspaceId: string): void {
    const message = `The workspace ${workspaceId} was also changed by another process; the version saved here won.`
    this.#report({ code: 'WORKSPACE_OVERWRITTEN', message, path: this.path, workspaceId })
  }

  #report(problem: WorkspaceProblem): void {
    if (!this.#problems.some(({ message }) => message === problem.message)) this.#problems.push(problem)
    this.#options.onProblem?.(problem)
  }
}

guardMethods(WorkspaceManager, { callsBack: ['update'] })

function sameRecords(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const ids = Object.keys(a)
  return ids.length === Object.keys(b).length && ids.every((id) => Object.hasOwn(b, id) && jsonEqual(a[id], b[id]))
}
