import { copyJson, isMinionsError } from '@minions/core'
import { contractsError } from '../errors.js'
import { type AnyArtifact, ARTIFACT_ID_FIELDS, type ArtifactName, artifactSchemas } from '../schemas/artifact.js'
import { Id } from '../schemas/parts.js'
import { RootMetadataSchema, VERSION_PATTERN } from '../schemas/root-metadata.js'
import { type CompiledSchema, compileContract, compileSchema } from '../validation/compile-schema.js'
import type { KnownFields } from '../validation/plain-json.js'
import { quote } from '../validation/problem.js'
import { linkSchemaOf } from './link-fields.js'

/**
 * Makes the next version out of an older artifact. It gets a copy, sets `schema_version` itself or leaves that to the
 * registry, and need not carry over fields that the old contract does not know.
 */
export type Upcaster = (artifact: AnyArtifact) => object

/** One version of one contract. */
export interface ArtifactKind {
  /** The `schema_name`: lower-case words joined by `_`. */
  readonly name: string
  /** The `schema_version`: `v1`, `v2`, … */
  readonly version: string
  /** A TypeBox schema or plain JSON Schema (2020-12). The root metadata is checked in addition. */
  readonly schema: object
  /** The property with the artifact's own id; `artifact_id` by default, or that of the contract it is a version of. */
  readonly idField?: string
  /** Upcasters that lead to this version, by the version they start from. */
  readonly upcastFrom?: Readonly<Record<string, Upcaster>>
}

/** A kind as the registry keeps it; compiled when it is first needed. */
export interface RegisteredKind extends KnownFields {
  readonly name: string
  readonly version: string
  readonly schema: object
  readonly idField: string
  compiled(): CompiledSchema
}

const namePattern = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/
const versionPattern = new RegExp(VERSION_PATTERN)

/** Whether a text is a version: `v1`, `v2`, … */
function isVersion(text: unknown): text is string {
  return typeof text === 'string' && versionPattern.test(text)
}

/** The number of a version. */
export function versionNumber(version: string): number {
  return Number(version.slice(1))
}

/** Checks a kind that a plugin brings and takes a copy of its schema; throws `INVALID_ARTIFACT_KIND`. */
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
  if (builtIn && builtIn.idField !== idField) return refuse(`its id is in ${builtIn.idField} in every version`)
  if (!isVersion(version)) return refuse('its version must be v1, v2 and so on')
  for (const from of Object.keys(upcastFrom)) {
    if (!isVersion(from) || versionNumber(from) >= versionNumber(version))
      return refuse(`an upcaster must start from an earlier version, not ${quote(from)}`)
  }
  try {
    const copy = copyJson(schema)
    const compiled = compileSchema({
      allOf: [RootMetadataSchema, identitySchema(idField), linkSchemaOf(name) ?? {}, copy],
    })
    const fields = new Set([...Object.keys(RootMetadataSchema.properties), ...Object.keys(propertiesOf(copy))])
    return { name, version, schema: copy, idField, fields, closedFields: new Set(), compiled: () => compiled }
  } catch (error) {
    const reason = isMinionsError(error) || error instanceof Error ? error.message : 'it cannot be compiled'
    return refuse(`its schema is unusable: ${reason}`, error)
  }
}

/** The ten contracts. Their compiled form is shared by all registries, since it never changes. */
export const builtInKinds: readonly RegisteredKind[] = Object.entries(artifactSchemas).map(([name, schema]) => {
  let compiled: CompiledSchema | undefined
  const properties = Object.entries(propertiesOf(schema))
  return {
    name,
    version: 'v1',
    schema,
    idField: ARTIFACT_ID_FIELDS[name as ArtifactName],
    fields: new Set(properties.map(([field]) => field)),
    // All of our patterns and constants are ASCII.
    closedFields: new Set(properties.filter(([, property]) => isClosed(property)).map(([field]) => field)),
    compiled: () => {
      compiled ??= compileContract(schema)
      return compiled
    },
  }
})

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
