import { type Clock, generateId } from '@minions/core'
import { isRecord, setOwn } from '@minions/core/json'
import { guarded, guardMethods, readClock, takeOptions } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import { copyForFile } from '../json/copy.js'
import { conditionHolds, Facts } from './condition.js'
import { Connections, connect, disconnect } from './connections.js'
import { explainRule, type RuleExplanation } from './explain.js'
import { unknownMembers, withMembers } from './extras.js'
import { Node, type NodeInput } from './node.js'
import { assertRecord, type RuleRecord, type WorkspaceHead, type WorkspaceRecord } from './records.js'
import { Rule, type RuleInput } from './rule.js'
import type { RuleMatch } from './rule-match.js'
import { RulePriority } from './rule-priority.js'
import { type ActionHandler, type ActionReport, type RunActionsOptions, runActions } from './run-actions.js'
import { Watched } from './watched.js'

type Given<Nodes, Rules> = Pick<WorkspaceRecord, 'name'> &
  Partial<WorkspaceHead> & { readonly nodes?: Nodes; readonly rules?: Rules; readonly inherited_rules?: Rules }

/** The input for a new workspace: a name; everything else has a default. */
export type WorkspaceInput = Given<Record<string, Node>, Record<string, Rule>>

/** A workspace in a file, with records instead of objects. Everything but names may be missing. */
export type WorkspaceData = Given<Readonly<Record<string, NodeInput>>, Readonly<Record<string, RuleInput>>>

/** Counts over a workspace. An edge counts once; `total_rules` are its own rules, enabled or not. */
export interface NetworkSummary {
  readonly total_nodes: number
  readonly node_types: Record<string, number>
  readonly total_connections: number
  readonly total_rules: number
  readonly inherited_rules: number
  readonly current_state_keys: string[]
}

export interface WorkspaceOptions {
  readonly clock?: Clock
}

/** A named graph of nodes and rules with a free-form state. Its properties are those of the file. */
export class Workspace {
  declare id: string
  declare name: string
  declare description: string
  declare nodes: Record<string, Node>
  declare rules: Record<string, Rule>
  declare inherited_rules: Record<string, Rule>
  declare state: Record<string, unknown>
  declare parent_workspace: string | null
  declare created_at: string
  declare updated_at: string
  declare root_path: string | null
  readonly #clock: Clock | undefined
  #extras: Record<string, unknown> = {}
  #connections: { readonly of: Watched<Node>; readonly index: Connections } | undefined

  constructor(input: WorkspaceInput, options: WorkspaceOptions = {}) {
    this.#clock = takeOptions('The options of a workspace', options).clock
    const given = takeOptions('A workspace', input)
    const record = withDefaults(given, readClock(this.#clock))
    assertRecord('head', record)
    const { id, name, description, ...rest } = record
    const nodes = watch(given.nodes ?? {}).record
    const rules = watch(given.rules ?? {}).record
    const inherited_rules = watch(given.inherited_rules ?? {}).record
    // In the order of the file.
    Object.assign(this, { id, name, description, nodes, rules, inherited_rules, ...rest })
  }

  /** Adds a node, or replaces the one with the same id. */
  addNode(node: Node): void {
    const nodes = this.#nodes()
    this.#index(nodes).added(requireInstance(Node, node, 'Node').id, node)
    nodes.set(node.id, node)
    this.#touch()
  }

  /** Removes a node and every connection to it; false when there is none. */
  removeNode(nodeId: string): boolean {
    const nodes = this.#nodes()
    const node = nodes.get(nodeId)
    if (!node) return false
    this.#index(nodes).detach(nodeId, node)
    nodes.delete(nodeId)
    this.#touch()
    return true
  }

  /** Connects two nodes both ways. True when they are connected afterwards; a node is never connected to itself. */
  connectNodes(aId: string, bId: string): boolean {
    const nodes = this.#nodes()
    const a = nodes.get(aId)
    const b = nodes.get(bId)
    if (!a || !b || a === b) return false
    if (connect(a, aId, b, bId)) this.#touch()
    return true
  }

  /** Removes the connection between two nodes; false when there was none. */
  disconnectNodes(aId: string, bId: string): boolean {
    const nodes = this.#nodes()
    const removed = disconnect(nodes.get(aId), aId, nodes.get(bId), bId)
    if (removed) this.#touch()
    return removed
  }

  /** Adds a rule, or replaces the one with the same id. */
  addRule(rule: Rule): void {
    this.#rules('rules').set(requireInstance(Rule, rule, 'Rule').id, rule)
    this.#touch()
  }

  /** Removes one of the workspace's own rules; false when there is none with this id. */
  removeRule(ruleId: string): boolean {
    const rules = this.#rules('rules')
    if (!rules.get(ruleId)) return false
    rules.delete(ruleId)
    this.#touch()
    return true
  }

  /** The enabled rules, highest priority first; at equal priority own before inherited, then in insertion order. */
  getAllRules(): Rule[] {
    return this.#everyRule().filter((rule) => rule.enabled)
  }

  /**
   * Copies the parent's rules, and those it inherited itself, into `inherited_rules`, each tagged with its origin.
   * Rules that already exist here, or that came from this workspace, are left out.
   */
  inheritRulesFrom(parent: Workspace): void {
    if (parent === this || parent.id === this.id) return
    const inherited = this.#rules('inherited_rules')
    const origins = new Set(inherited.values().map((rule) => rule.inherited_from))
    for (const id of this.#rules('rules').keys()) origins.add(`${this.name}:${id}`)
    let changed = this.parent_workspace !== parent.id
    for (const [origin, rule] of inheritable(parent)) {
      if (origins.has(origin)) continue
      origins.add(origin)
      const copy = { ...rule.toDict(), id: generateId(), inherited_from: origin, created_at: readClock(this.#clock) }
      inherited.set(copy.id, Rule.fromDict(copy))
      changed = true
    }
    this.parent_workspace = parent.id
    if (changed) this.#touch()
  }

  /** Reports the actions of all enabled rules whose condition holds, in the order of `getAllRules`; runs nothing. */
  evaluateStateLogic(): RuleMatch[] {
    const facts = this.#facts()
    const matches: RuleMatch[] = []
    for (const rule of this.#everyRule()) {
      if (!rule.enabled || !conditionHolds(rule.condition, facts)) continue
      matches.push({
        rule_id: rule.id,
        rule_name: rule.name,
        action: rule.action,
        priority: rule.priority,
        inherited_from: rule.inherited_from,
      })
    }
    return matches
  }

  /** Explains for every rule, including disabled ones, why it does or does not match. */
  explain(): RuleExplanation[] {
    const facts = this.#facts()
    return this.#everyRule().map((rule) => explainRule(rule, facts))
  }

  /** Calls the caller's handlers for the matching rules; see `runActions`. */
  runActions(handlers: Readonly<Record<string, ActionHandler>>, options?: RunActionsOptions): Promise<ActionReport[]> {
    return runActions(this, handlers, takeOptions('The options of runActions', options))
  }

  getNetworkSummary(): NetworkSummary {
    const nodes = this.#nodes().values()
    const types: Record<string, number> = {}
    let ends = 0
    for (const node of nodes) {
      setOwn(types, node.type, (Object.hasOwn(types, node.type) ? (types[node.type] as number) : 0) + 1)
      ends += node.connections.length
    }
    return {
      total_nodes: nodes.length,
      node_types: types,
      total_connections: Math.floor(ends / 2),
      total_rules: this.#rules('rules').values().length,
      inherited_rules: this.#rules('inherited_rules').values().length,
      current_state_keys: Object.keys(this.state ?? {}),
    }
  }

  /** The record of the file, sharing nothing with this. Throws `VALIDATION_FAILED` for what JSON cannot hold. */
  toDict(): WorkspaceRecord {
    const { state, extras } = copyForFile({ state: this.state, extras: this.#extras }, `The workspace "${this.name}"`)
    const record = {
      id: this.id,
      name: this.name,
      description: this.description,
      nodes: mapValues(this.nodes, (node) => requireInstance(Node, node, 'Node').toDict()),
      rules: mapValues(this.rules, ruleRecord),
      inherited_rules: mapValues(this.inherited_rules, ruleRecord),
      state,
      parent_workspace: this.parent_workspace,
      created_at: this.created_at,
      updated_at: this.updated_at,
      root_path: this.root_path,
    }
    assertRecord('workspace', record)
    return withMembers(record, extras)
  }

  toJSON(): WorkspaceRecord {
    return this.toDict()
  }

  /** Creates a workspace from its record, sharing nothing with it. Throws `VALIDATION_FAILED` when it is invalid. */
  static fromDict(data: WorkspaceData, options?: WorkspaceOptions): Workspace {
    const { nodes = {}, rules = {}, inherited_rules = {}, ...head } = isRecord(data) ? data : ({} as WorkspaceData)
    const record = {
      ...copyForFile(head, 'The workspace'),
      nodes: mapValues(nodes, (node, id) => Node.fromDict({ id, ...node })),
      rules: mapValues(rules, (rule, id) => Rule.fromDict({ id, ...rule })),
      inherited_rules: mapValues(inherited_rules, (rule, id) => Rule.fromDict({ id, ...rule })),
    }
    const workspace = new Workspace(record, options)
    workspace.#extras = unknownMembers(record, workspace)
    workspace.#index(workspace.#nodes())
    return workspace
  }

  #nodes(): Watched<Node> {
    const nodes = Watched.of(this.nodes)
    this.nodes = nodes.record
    return nodes
  }

  #rules(kind: 'rules' | 'inherited_rules'): Watched<Rule> {
    const rules = Watched.of(this[kind])
    this[kind] = rules.record
    return rules
  }

  #index(nodes: Watched<Node>): Connections {
    if (this.#connections?.of !== nodes) this.#connections = { of: nodes, index: new Connections(nodes) }
    return this.#connections.index
  }

  #everyRule(): Rule[] {
    return byPriority(this.#rules('rules').values().concat(this.#rules('inherited_rules').values()))
  }

  #facts(): Facts {
    return new Facts(isRecord(this.state) ? this.state : {}, this.#nodes().values())
  }

  #touch(): void {
    this.updated_at = readClock(this.#clock)
  }
}

const watch = guarded('A workspace', <T>(records: Record<string, T>) => Watched.of(records))

guardMethods(Workspace, { callsBack: ['runActions'] })

function withDefaults(input: Partial<WorkspaceHead>, time: string): unknown {
  const { id = generateId(), name, description = '', state = {}, parent_workspace = null } = input
  const { created_at = time, updated_at = time, root_path = null } = input
  return { id, name, description, state, parent_workspace, created_at, updated_at, root_path }
}

const PRIORITIES = Object.values(RulePriority).reverse()

/** Highest first, otherwise in the order given. One pass for each of the four priorities is faster than sorting. */
function byPriority(rules: readonly Rule[]): Rule[] {
  const ordered: Rule[] = []
  for (const priority of PRIORITIES) {
    for (const rule of rules) if (rule.priority === priority) ordered.push(rule)
  }
  // A priority outside the four can only have been assigned past the types; its rule must not vanish.
  return ordered.length === rules.length ? ordered : rules.toSorted((a, b) => b.priority - a.priority)
}

/** The rules a child gets, with their origin: the parent's own, then those the parent inherited. */
function inheritable(parent: Workspace): [origin: string, rule: Rule][] {
  return [
    ...Object.entries(parent.rules).map(([id, rule]): [string, Rule] => [`${parent.name}:${id}`, rule]),
    ...Object.entries(parent.inherited_rules).map(([id, rule]): [string, Rule] => [
      rule.inherited_from ?? `${parent.name}:${id}`,
      rule,
    ]),
  ]
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T, key: string) => R): Record<string, R> {
  if (!isRecord(record)) throw workspaceError('VALIDATION_FAILED', 'Nodes and rules must be objects by id.')
  const result: Record<string, R> = {}
  for (const key of Object.keys(record)) setOwn(result, key, map(record[key] as T, key))
  return result
}

function ruleRecord(rule: Rule): RuleRecord {
  return requireInstance(Rule, rule, 'Rule').toDict()
}

function requireInstance<T>(type: new (input: never) => T, value: T, name: string): T {
  if (value instanceof type) return value
  const remedy = `Create one with new ${name}({ name }) or ${name}.fromDict(record).`
  throw workspaceError('VALIDATION_FAILED', `This is not a ${name.toLowerCase()}. ${remedy}`)
}
