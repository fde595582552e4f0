import { messageOf, quote } from '@minions/core'
import { type CompiledSchema, compileSchema, ownSchema } from '@minions/core/schema'
import { contractsError } from '../errors.js'
import { ARTIFACT_ID_FIELDS, type Artifact, type ArtifactName, artifactSchemas } from '../schemas/artifact.js'
import { Id } from '../schemas/parts.js'
import { RootMetadataSchema, VERSION_PATTERN } from '../schemas/root-metadata.js'
import type { KnownFields } from '../validation/plain-json.js'
import { linkSchemaOf } from './link-fields.js'

/**
 * Converts an older artifact to the next version. It receives a copy, sets `schema_version` itself or leaves that to
 * the registry, and need not carry over fields unknown to the old contract.
 */
export type Upcaster = (artifact: Artifact<string>) => object

/** One version of one contract. */
export interface ArtifactKind {
  /** The `schema_name`: lower-case words joined by `_`. */
  readonly name: string
  /** The `schema_version`: `v1`, `v2`, … */
  readonly version: string
  /** Any schema that core's `compileSchema` accepts and that has a JSON Schema. The root metadata is checked too. */
  readonly schema: object
  /** The property with the artifact's own id. Default: `artifact_id`, or that of the contract it is a version of. */
  readonly idField?: string
  /** Upcasters to this version, by the version they start from. */
  readonly upcastFrom?: Readonly<Record<string, Upcaster>>
}

/** The rules of a contract: a quick yes or no, and every problem. */
type ArtifactRules = Pick<CompiledSchema, 'check' | 'issues'>

/** A kind in the registry; compiled on first use. */
export interface RegisteredKind {
  readonly name: string
  readonly version: string
  readonly schema: object
  readonly idField: string
  readonly fields: KnownFields
  compiled(): ArtifactRules
}

/** Names of kinds and roles: lower-case words joined by `_`. */
export const namePattern = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/
const versionPattern = new RegExp(VERSION_PATTERN)

function isVersion(text: unknown): text is string {
  return typeof text === 'string' && versionPattern.test(text)
}

export function versionNumber(version: string): number {
  return Number(version.slice(1))
}

/** Validates a plugin's kind and copies its schema; throws `INVALID_ARTIFACT_KIND`. */
export function readKind({ name, version, schema, upcastFrom = {}, ...rest }: ArtifactKind): RegisteredKind {
  const builtIn = builtInKinds.find((kind) => kind.name === name)
  const idField = rest.idField ?? builtIn?.idField ?? 'artifact_id'
  const refuse = (why: string, cause?: unknown): never => {
    const who = `Artifact kind ${quote(name)} ${quote(version)}`
    throw contractsError('INVALID_ARTIFACT_KIND', `${who} cannot be registered: ${why}.`, {
      details: { name: String(name).slice(0, 128), version: String(version).slice(0, 128) },
      ...(cause === undefined ? {} : { cause }),
    })
  }
  if (typeof name !== 'string' || !namePattern.test(name) || name.length > 64)
    return refuse('its name must be lower-case words joined by underscores')
  if (builtIn && builtIn.idField !== idField) return refuse(`its id must be in ${builtIn.idField} in every version`)
  if (!isVersion(version)) return refuse('its version must be v1, v2 and so on')
  for (const from of Object.keys(upcastFrom)) {
    if (!isVersion(from) || versionNumber(from) >= versionNumber(version))
      return refuse(`an upcaster must start from an earlier version, not ${quote(from)}`)
  }
  try {
    const own = compileSchema(schema)
    const kept = compileSchema({ allOf: [RootMetadataSchema, identitySchema(idField), linkSchemaOf(name) ?? {}] })
    const compiled: ArtifactRules = {
      check: (value): value is unknown => kept.check(value) && own.check(value),
      issues: (value) => [...kept.issues(value), ...own.issues(value)],
    }
    const names = [...Object.keys(RootMetadataSchema.properties), ...Object.keys(propertiesOf(own.schema))]
    const fields: KnownFields = new Map(names.map((field) => [field, 'open']))
    return { name, version, schema: own.schema, idField, fields, compiled: () => compiled }
  } catch (error) {
    return refuse(`its schema is unusable: ${messageOf(error).replace(/\.$/, '')}`, error)
  }
}

/** The ten contracts. Their compiled form is shared by all registries, since it never changes. */
export const builtInKinds: readonly RegisteredKind[] = Object.entries(artifactSchemas).map(([name, schema]) => {
  const properties = Object.entries(propertiesOf(schema))
  return {
    name,
    version: 'v1',
    schema,
    idField: ARTIFACT_ID_FIELDS[name as ArtifactName],
    // All of our patterns and constants are ASCII.
    fields: new Map(properties.map(([field, property]) => [field, isClosed(property) ? 'closed' : 'open'])),
    compiled: ownSchema(schema),
  }
})

/** One of the contracts that name roles, for an app with custom roles. */
export function kindWithRoles(name: 'mission_task_graph' | 'prompt_package', roles: readonly string[]): RegisteredKind {
  const kind = builtInKinds.find((each) => each.name === name) as RegisteredKind
  // Only the list of roles differs; everything else is copied unchanged.
  const schema = JSON.parse(JSON.stringify(kind.schema), (key, value: unknown) =>
    key === 'role_type' ? { ...Object(value), enum: roles } : value,
  ) as object
  return { ...kind, schema, compiled: ownSchema(schema) }
}

function identitySchema(idField: string): object {
  return { type: 'object', properties: { [idField]: Id }, required: [idField] }
}

function propertiesOf(schema: object): Readonly<Record<string, unknown>> {
  const properties = Object.hasOwn(schema, 'properties') ? (schema as { properties: unknown }).properties : {}
  return Object(properties)
}

function isClosed(property: unknown): boolean {
  return ['const', 'enum', 'pattern'].some((keyword) => Object.hasOwn(Object(property), keyword))
}
