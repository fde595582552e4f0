import { type Clock, nearestName } from '@minions/core'
import { dependencyOrder } from '@minions/core/coordination'
import { deepFreeze, type JsonValue, jsonEqual, setOwn } from '@minions/core/json'
import { guardMethods, readClock, takeList, takeOptions } from '@minions/core/plugin'
import { isShort } from '@minions/core/schema'
import { compare } from 'semver'
import { checkObject, checkParts } from '../../arguments.js'
import { skillsError } from '../../errors.js'
import { assertValid, attributeIssue, quoted, skillTitle } from '../../validation.js'
import { checkReferences } from '../composition/check-references.js'
import { completeSkill, skillRecord } from '../definition/complete-skill.js'
import { type CompleteSkill, isRunnable, type Skill } from '../definition/skill.js'
import type { SkillRecord } from '../definition/skill-schema.js'
import { validateSkill } from '../definition/validate-skill.js'
import type { SkillRegistryRecord } from './registry-schema.js'

/** A skill in the registry: complete, frozen and dated. */
export type RegisteredSkill = CompleteSkill & Required<Pick<SkillRecord, 'created_at' | 'updated_at'>>

export interface SkillRegistryOptions {
  /** `default` by default. */
  readonly id?: string
  readonly clock?: Clock
}

/** The dependencies of a skill, or `undefined` if there is no such skill. */
type Dependencies = (name: string) => readonly string[] | undefined

/** The versions of one skill, the highest last. */
type Versions = readonly RegisteredSkill[]

/**
 * Holds skills by name and version. Dependencies are names and mean the highest version; they must exist and form no
 * cycle at any time. Every method is synchronous, and one that throws leaves the registry as it was.
 */
export class SkillRegistry {
  readonly registry_id: string
  readonly #clock: Clock
  readonly #versions = new Map<string, Versions>()
  #lastUpdated: string
  #snapshot: Pick<SkillRegistry, 'skills' | 'dependency_graph'> | undefined

  constructor(options: SkillRegistryOptions = {}) {
    checkObject('The registry', options)
    const { id = 'default', clock = Date.now } = takeOptions('The registry', options)
    checkParts('The registry', { clock }, { clock: 'function' })
    this.registry_id = id
    this.#clock = clock
    this.#lastUpdated = readClock(this.#clock)
  }

  /** When a skill was last added or removed. */
  get last_updated(): string {
    return this.#lastUpdated
  }

  /** The highest version of each skill by name, as a frozen snapshot; check with `Object.hasOwn`. */
  get skills(): Readonly<Record<string, RegisteredSkill>> {
    return this.#current().skills
  }

  /** The dependencies of each skill by name, as a frozen snapshot. */
  get dependency_graph(): Readonly<Record<string, readonly string[]>> {
    return this.#current().dependency_graph
  }

  /**
   * Adds a skill and returns it as registered. Throws `VALIDATION_FAILED`, `ALREADY_REGISTERED`, `REFERENCE_VIOLATION`
   * or `CYCLE`. Code for a version of which only the record is known completes that record when the schemas are the
   * same, and throws `SKILL_MISMATCH` when they are not.
   */
  registerSkill(skill: Skill): RegisteredSkill {
    return this.registerAll([skill])[0] as RegisteredSkill
  }

  /** Adds several skills, which may depend on each other in any order; all or none. */
  registerAll(skills: Iterable<Skill>): RegisteredSkill[] {
    requireList('skills', skills, (value) => typeof Object(value)[Symbol.iterator] === 'function')
    const time = readClock(this.#clock)
    const changes = new Map<string, Versions>()
    const added: RegisteredSkill[] = []
    for (const skill of skills) {
      const registered = this.#prepare(skill, changes, time)
      const others = this.#versionsOf(registered.name, changes).filter(({ version }) => version !== registered.version)
      changes.set(
        registered.name,
        [...others, registered].sort((a, b) => compare(a.version, b.version)),
      )
      added.push(registered)
    }
    const graph = this.#graphWith(changes)
    for (const skill of added) this.#checkDependencies(skill, graph, changes)
    this.#checkCycles(changes, graph)
    for (const skill of added) this.#checkSteps(skill, changes)
    this.#commit(changes, time)
    return added
  }

  /** Finds a skill; without a version the highest. Throws `NOT_FOUND`. */
  getSkill(name: string, version?: string): RegisteredSkill {
    const versions = this.#versions.get(name)
    const skill = version === undefined ? versions?.at(-1) : versions?.find((each) => each.version === version)
    if (skill !== undefined) return skill
    const nearest = versions || !isShort(name) ? undefined : nearestName(name, this.#versions.keys())
    const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    const known = versions ? ` Its versions are ${versions.map((each) => each.version).join(', ')}.` : guess
    const which = version === undefined ? '' : ` in version ${quoted(version, 'that is not a string')}`
    const text = `There is no skill ${quoted(name, 'of this name')}${which}; register it first.${known}`
    const details = { ...(isShort(name) && { name }), ...(isShort(version) && { version }) }
    throw skillsError('NOT_FOUND', text, { details })
  }

  /** True if a skill is registered; without a version, whether any version is. */
  hasSkill(name: string, version?: string): boolean {
    const versions = this.#versions.get(name)
    return versions !== undefined && (version === undefined || versions.some((each) => each.version === version))
  }

  /** The versions of a skill, lowest first; empty when there is no such skill. */
  listVersions(name: string): string[] {
    return (this.#versions.get(name) ?? []).map(({ version }) => version)
  }

  /** The highest version of each skill that has all of these tags, in the order in which names were registered. */
  listSkills(tags: readonly string[] = []): RegisteredSkill[] {
    requireList('tags', tags, Array.isArray)
    return [...this.#versions.values()]
      .map((versions) => versions.at(-1) as RegisteredSkill)
      .filter((skill) => tags.every((tag) => skill.tags.includes(tag)))
  }

  /** The names of a skill and all it depends on, each once, dependencies first and the skill itself last. */
  resolveDependencies(name: string): string[] {
    this.getSkill(name)
    const { order, cycle } = orderDependencies([name], this.#graphWith(new Map()))
    if (cycle !== undefined) throw cycleError(cycle)
    return [...order]
  }

  /**
   * True if a skill depends on itself in a cycle. Registered skills never do; pass `dependencies` to check whether they
   * would create one. Throws `NOT_FOUND` when the skill is not registered and no dependencies are given.
   */
  detectCycles(name: string, dependencies?: readonly string[]): boolean {
    if (dependencies === undefined) this.getSkill(name)
    else requireList('dependencies', dependencies, Array.isArray)
    const own = dependencies && takeList('The dependencies', dependencies)
    const graph = this.#graphWith(new Map())
    const asked: Dependencies = (each) => (each === name && own ? own : graph(each))
    return orderDependencies([name], asked).cycle !== undefined
  }

  /**
   * Removes one version of a skill, or all of them. Throws `NOT_FOUND`, `REFERENCE_VIOLATION` while another skill
   * depends on the name, and `CYCLE` if the next highest version would create a cycle.
   */
  unregister(name: string, version?: string): void {
    const skill = this.getSkill(name, version)
    const rest = version === undefined ? [] : this.#versionsOf(name).filter((each) => each !== skill)
    if (rest.length === 0) this.#refuseWhileNeeded(name)
    const changes = new Map([[name, rest]])
    this.#checkCycles(changes, this.#graphWith(changes))
    this.#commit(changes, readClock(this.#clock))
  }

  /** The record of the registry, without code. */
  toJSON(): SkillRegistryRecord {
    const skills: Record<string, SkillRecord> = {}
    for (const skill of this.listSkills()) setOwn(skills, skill.name, skillRecord(skill))
    const { registry_id, dependency_graph, last_updated } = this
    return { registry_id, skills, dependency_graph, last_updated }
  }

  #prepare(skill: Skill, changes: ReadonlyMap<string, Versions>, time: string): RegisteredSkill {
    assertValid(skillTitle(skill), validateSkill(skill).errors)
    const known = this.#versionsOf(skill.name, changes).find(({ version }) => version === skill.version)
    if (known !== undefined) requireBindable(known, skill)
    const created_at = known?.created_at ?? skill.created_at ?? time
    return completeSkill({ ...skill, created_at, updated_at: skill.updated_at ?? time }) as RegisteredSkill
  }

  #versionsOf(name: string, changes?: ReadonlyMap<string, Versions>): Versions {
    return changes?.get(name) ?? this.#versions.get(name) ?? []
  }

  /** The graph of highest versions as it will be after some changes. */
  #graphWith(changes: ReadonlyMap<string, Versions>): Dependencies {
    return (name) => this.#versionsOf(name, changes).at(-1)?.dependencies
  }

  #checkDependencies(skill: RegisteredSkill, graph: Dependencies, changes: ReadonlyMap<string, Versions>): void {
    const missing = skill.dependencies.filter((name) => graph(name) === undefined)
    if (missing.length === 0) return
    const batch = changes.size > 1 ? ' or in the same batch' : ''
    const message = `The skill "${skill.name}" has "dependencies" that are not registered: ${missing.join(', ')}. Register them first${batch}.`
    throw skillsError('REFERENCE_VIOLATION', message, {
      details: { name: skill.name, version: skill.version, field: 'dependencies', missing },
    })
  }

  /** Only a changed skill can create a cycle. A new name that nothing refers to yet is skipped. */
  #checkCycles(changes: ReadonlyMap<string, Versions>, graph: Dependencies): void {
    const only = changes.size === 1 ? [...changes.keys()][0] : undefined
    if (only !== undefined && !this.#versions.has(only) && !graph(only)?.includes(only)) return
    const { cycle } = orderDependencies(changes.keys(), graph)
    if (cycle !== undefined) throw cycleError(cycle)
  }

  /** References into results are checked again here, where the skills of the steps are known. */
  #checkSteps(skill: RegisteredSkill, changes: ReadonlyMap<string, Versions>): void {
    if (skill.steps === undefined) return
    const returns = (name: string) => this.#versionsOf(name, changes).at(-1)?.returns_schema
    const errors = checkReferences(skill.steps, { params: skill.parameters_schema, returns })
    assertValid(`The composed skill "${skill.name}"`, errors)
  }

  #refuseWhileNeeded(name: string): void {
    const dependents = new Set<string>()
    for (const [other, versions] of this.#versions) {
      if (other !== name && versions.some(({ dependencies }) => dependencies.includes(name))) dependents.add(other)
    }
    if (dependents.size === 0) return
    const names = [...dependents]
    const message = `The skill "${name}" cannot be removed: ${names.join(', ')} depend on it. Remove them first.`
    throw skillsError('REFERENCE_VIOLATION', message, { details: { name, dependents: names } })
  }

  #commit(changes: ReadonlyMap<string, Versions>, time: string): void {
    if (changes.size === 0) return
    for (const [name, versions] of changes) {
      if (versions.length === 0) this.#versions.delete(name)
      else this.#versions.set(name, versions)
    }
    this.#lastUpdated = time
    this.#snapshot = undefined
  }

  #current(): Pick<SkillRegistry, 'skills' | 'dependency_graph'> {
    if (this.#snapshot !== undefined) return this.#snapshot
    const skills: Record<string, RegisteredSkill> = {}
    const dependency_graph: Record<string, readonly string[]> = {}
    for (const [name, versions] of this.#versions) {
      const skill = versions.at(-1) as RegisteredSkill
      setOwn(skills, name, skill)
      setOwn(dependency_graph, name, skill.dependencies)
    }
    this.#snapshot = { skills: Object.freeze(skills), dependency_graph: deepFreeze(dependency_graph) }
    return this.#snapshot
  }
}

guardMethods(SkillRegistry)

/** Skills with all their dependencies, dependencies first. Unregistered names are skipped. */
function orderDependencies(names: Iterable<string>, graph: Dependencies) {
  return dependencyOrder(names, (name) => graph(name)?.filter((each) => graph(each) !== undefined) ?? [])
}

function requireList(field: string, value: unknown, isList: (value: unknown) => boolean): void {
  if (!isList(value)) assertValid('The call', [attributeIssue(field, 'TYPE', 'must be a list', value)])
}

/** A version is registered once, except that code may be added to a bare record. */
function requireBindable(known: RegisteredSkill, skill: Skill): void {
  const details = { name: skill.name, version: skill.version }
  if (isRunnable(known) || !isRunnable(skill)) {
    const message = `The skill "${skill.name}" is already registered in version ${skill.version}; give it a new version.`
    throw skillsError('ALREADY_REGISTERED', message, { details })
  }
  const field = differingSchema(known, skillRecord(skill))
  if (field === undefined) return
  const message = `The code of "${skill.name}" ${skill.version} has a "${field}" that differs from the record of that version; give it a new version.`
  throw skillsError('SKILL_MISMATCH', message, { details: { ...details, field } })
}

/** The schema in which two records of a version differ. */
export function differingSchema(one: SkillRecord, other: SkillRecord) {
  const same = (a: unknown, b: unknown) => jsonEqual((a ?? null) as JsonValue, (b ?? null) as JsonValue)
  return (['parameters_schema', 'returns_schema'] as const).find((field) => !same(one[field], other[field]))
}

export function cycleError(path: readonly string[]) {
  return skillsError('CYCLE', `Skills depend on each other in a cycle: ${path.join(' → ')}.`, { details: { path } })
}
