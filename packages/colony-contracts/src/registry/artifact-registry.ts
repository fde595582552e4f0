import { quote } from '@minions/core'
import { getOwn, isRecord } from '@minions/core/json'
import { guardMethods } from '@minions/core/plugin'
import { contractsError } from '../errors.js'
import type { Artifact } from '../schemas/artifact.js'
import { TASK_ROLE_TYPES } from '../schemas/parts.js'
import { artifactProblems } from '../validation/artifact-problems.js'
import { passProblems } from '../validation/pass-problems.js'
import { isPlainJson } from '../validation/plain-json.js'
import { type ArtifactProblem, problem } from '../validation/problem.js'
import { parseJson, readJson } from '../validation/read-json.js'
import { accepted, refused, type ValidationResult } from '../validation/validation-result.js'
import {
  type ArtifactKind,
  builtInKinds,
  kindWithRoles,
  namePattern,
  type RegisteredKind,
  readKind,
  type Upcaster,
  versionNumber,
} from './artifact-kind.js'
import { upcastError, upcastOnce } from './upcast.js'

/** The times that are compared with each other. */
const TIMES: ReadonlySet<string> = new Set(['/created_at', '/expires_at'])

interface Step {
  readonly to: string
  readonly upcast: Upcaster
}

/** The contracts by `(schema_name, schema_version)`, and the upcasters between versions. */
export class ArtifactRegistry {
  readonly #kinds = new Map<string, Map<string, RegisteredKind>>()
  readonly #steps = new Map<string, Map<string, Step>>()
  #roles: readonly string[] = TASK_ROLE_TYPES

  /** A new registry knows the ten contracts and shares nothing with other registries. */
  constructor() {
    for (const kind of builtInKinds) this.#add(kind)
  }

  /** Adds a kind or a version. Throws `INVALID_ARTIFACT_KIND` or `ARTIFACT_KIND_EXISTS`, and then adds nothing. */
  register(kind: ArtifactKind): this {
    if (this.#kinds.get(kind.name)?.has(kind.version)) {
      const message = `Artifact kind ${quote(kind.name)} ${quote(kind.version)} is already registered; choose the next version.`
      throw contractsError('ARTIFACT_KIND_EXISTS', message, { details: { name: kind.name, version: kind.version } })
    }
    this.#add(readKind(kind))
    const steps = this.#steps.get(kind.name) ?? new Map<string, Step>()
    for (const [from, upcast] of Object.entries(kind.upcastFrom ?? {})) {
      const known = steps.get(from)
      // If two upcasters start from a version, the one that goes further is used.
      if (!known || versionNumber(known.to) < versionNumber(kind.version)) steps.set(from, { to: kind.version, upcast })
    }
    this.#steps.set(kind.name, steps)
    return this
  }

  /** Allowed roles of tasks: the built-in ones, and those that were added. */
  get roles(): readonly string[] {
    return this.#roles
  }

  /** Adds a role for tasks and prompt packages. Throws `INVALID_ARTIFACT_KIND` for an invalid name. */
  addRole(name: string): this {
    if (this.#roles.includes(name)) return this
    if (typeof name !== 'string' || name.length > 64 || !namePattern.test(name)) {
      const message = `${quote(name)} cannot be a role; it must be lower-case words joined by underscores.`
      throw contractsError('INVALID_ARTIFACT_KIND', message)
    }
    this.#roles = [...this.#roles, name]
    for (const kind of ['mission_task_graph', 'prompt_package'] as const) this.#add(kindWithRoles(kind, this.#roles))
    return this
  }

  /** The schema names, in registration order. */
  names(): string[] {
    return [...this.#kinds.keys()]
  }

  /** The versions of a name, oldest first; empty when the name is unknown. */
  versions(name: string): string[] {
    return [...(this.#kinds.get(name)?.keys() ?? [])].sort((a, b) => versionNumber(a) - versionNumber(b))
  }

  /** The contract registered under a name and version. Throws `UNKNOWN_ARTIFACT_KIND`. */
  kind(name: string, version: string): Required<Omit<ArtifactKind, 'upcastFrom'>> {
    const { schema, idField } = this.#kind(name, version)
    return { name, version, schema, idField }
  }

  /** An artifact's own id, by the `idField` of its kind. */
  idOf(artifact: Artifact<string>): string {
    return String(artifact[this.#kind(artifact.schema_name, artifact.schema_version).idField])
  }

  /** `validateArtifact` with everything this registry knows. */
  validate(value: unknown): ValidationResult<Artifact<string>> {
    if (this.#isPlainAndValid(value)) return accepted(value)
    const read = readJson(value)
    if (!read.valid) return read
    if (!isRecord(read.artifact)) return refused([problem('', 'TYPE', 'must be an object')])
    const kind = this.#find(read.artifact)
    if (!kind) return refused(this.#unknown(read.artifact))
    const problems = artifactProblems(kind.compiled().issues(read.artifact))
    const hasTimes = !problems.some(({ pointer }) => TIMES.has(pointer))
    if (hasTimes) problems.push(...passProblems(read.artifact))
    return problems.length === 0 ? accepted(read.artifact as Artifact<string>) : refused(problems)
  }

  /** `parseArtifact` with everything this registry knows. */
  parse(text: string): ValidationResult<Artifact<string>> {
    const parsed = parseJson(text)
    return parsed.valid ? this.validate(parsed.artifact) : parsed
  }

  /**
   * Upcasts a valid artifact to a version; default: as far as upcasters exist. Every step is validated, and unknown
   * fields are preserved. Throws `UPCAST_FAILED`; the given artifact is not changed. The type stays that of the kind,
   * which every version has to match as far as rules depend on it.
   */
  upcast<A extends Artifact<string>>(artifact: A, to?: string): A {
    let current: Artifact<string> = artifact
    while (current.schema_version !== to) {
      const step = this.#steps.get(current.schema_name)?.get(current.schema_version)
      if (!step || (to !== undefined && versionNumber(step.to) > versionNumber(to))) break
      const next = upcastOnce(current, this.#kind(current.schema_name, current.schema_version), step)
      const result = this.validate(next)
      if (!result.valid)
        throw upcastError(current, step.to, 'its result violates the contract', { errors: result.errors })
      if (this.idOf(result.artifact) !== this.idOf(current))
        throw upcastError(current, step.to, 'its id must not change')
      current = result.artifact
    }
    if (to !== undefined && current.schema_version !== to)
      throw upcastError(artifact, to, 'there is no upcaster for it')
    return current as A
  }

  #add(kind: RegisteredKind): void {
    const versions = this.#kinds.get(kind.name) ?? new Map<string, RegisteredKind>()
    this.#kinds.set(kind.name, versions.set(kind.version, kind))
  }

  #kind(name: string, version: string): RegisteredKind {
    const kind = this.#kinds.get(name)?.get(version)
    if (kind) return kind
    const known = this.versions(name).length > 0 ? this.versions(name) : this.names()
    const message = `No contract ${quote(name)} ${quote(version)} is registered; use one of ${known.join(', ')}.`
    throw contractsError('UNKNOWN_ARTIFACT_KIND', message, { details: { known } })
  }

  /** The fast path for valid, plain values; everything else is copied first and examined closely. */
  #isPlainAndValid(value: unknown): value is Artifact<string> {
    if (typeof value !== 'object' || value === null) return false
    try {
      // Whether these are own properties is known once the value has turned out to be plain.
      const { schema_name, schema_version } = value as Artifact<string>
      const kind = this.#kinds.get(schema_name)?.get(schema_version)
      if (kind === undefined || !isPlainJson(value, kind.fields) || !kind.compiled().check(value)) return false
      return passProblems(value).length === 0
    } catch {
      return false
    }
  }

  #find(record: object): RegisteredKind | undefined {
    return this.#kinds.get(getOwn(record, 'schema_name') as string)?.get(getOwn(record, 'schema_version') as string)
  }

  #unknown(record: object): ArtifactProblem[] {
    const problems: ArtifactProblem[] = []
    const name = getOwn(record, 'schema_name')
    const version = getOwn(record, 'schema_version')
    const versions = typeof name === 'string' ? this.versions(name) : []
    if (name === undefined) problems.push(problem('/schema_name', 'REQUIRED', 'is required'))
    else if (versions.length === 0) {
      const known = this.names().join(', ')
      problems.push(problem('/schema_name', 'UNKNOWN_SCHEMA', `${quote(name)} is unknown; use one of ${known}`))
    }
    if (version === undefined) problems.push(problem('/schema_version', 'REQUIRED', 'is required'))
    else if (versions.length > 0) {
      const known = `known versions of ${String(name)} are ${versions.join(', ')}`
      problems.push(problem('/schema_version', 'UNKNOWN_VERSION', `${quote(version)} is unknown; ${known}`))
    }
    return problems
  }
}

// `validate` reads any value within the limits of a record, and never throws.
guardMethods(ArtifactRegistry, { callsBack: ['upcast'], skipsInside: ['idOf'], except: ['validate'] })
