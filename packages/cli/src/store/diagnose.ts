import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMinionsError } from '@minions/core'
import { getOwn, type JsonObject } from '@minions/core/json'
import {
  Collection,
  minionsCollection,
  type ReferenceDeclaration,
  relationsCollection,
  type Store,
  typesCollection,
  valueAt,
} from '@minions/core/storage'
import { builtinTypes } from '@minions/core/types'
import { SessionStore, WorkspaceManager } from '@minions/workspace'
import { batches } from './batches.js'

export const FINDING_KINDS = ['damaged', 'dangling relation', 'orphan', 'asymmetric edge'] as const

/** A problem found in a store. Not an `Issue`: most concern two records, or a file, not one value. */
export interface Finding {
  readonly kind: (typeof FINDING_KINDS)[number]
  /** The file, collection or workspace it was found in. */
  readonly where: string
  readonly message: string
  /** The damaged record, if repairing it needs all of it. */
  readonly record?: JsonObject
}

/** Examines a store: what its backend set aside, dangling references, minions without a type. */
export async function* diagnoseStore(store: Store): AsyncIterable<Finding> {
  for (const { code, message } of await store.problems()) {
    yield { kind: 'damaged', where: store.backend.name, message: `${code}: ${message}` }
  }
  const collections = (await store.catalogue()).map((declaration) => new Collection(declaration))
  const types = await typeIds(store, collections)
  for (const collection of collections) {
    try {
      for await (const batch of batches(store, collection)) {
        yield* unreadable(collection, batch)
        for (const reference of collection.declaration.references) {
          const target = collections.find(({ name }) => name === reference.collection)
          if (target) yield* dangling(store, collection, target, reference, batch)
        }
        if (collection.name === minionsCollection.name) yield* typeless(batch, types)
        if (collection.name === 'workspaces') {
          for (const record of batch) for (const finding of asymmetric(record)) yield { ...finding, record }
        }
      }
    } catch (error) {
      if (!isMinionsError(error)) throw error
      yield { kind: 'damaged', where: collection.name, message: `${error.code}: ${error.message}` }
    }
  }
}

/** Examines `workspaces.json` of a folder and the sessions of its workspaces. */
export async function* diagnoseWorkspaces(configDir: string): AsyncIterable<Finding> {
  const manager = new WorkspaceManager(configDir, { readOnly: true })
  const workspaces = await manager.loadWorkspaces()
  for (const { path, message } of manager.problems()) yield { kind: 'damaged', where: path, message }
  for (const workspace of Object.values(workspaces)) {
    yield* asymmetric(workspace.toDict() as JsonObject)
    const sessions = new SessionStore(workspace.root_path ?? join(configDir, 'workspaces', `ws_${workspace.id}`))
    for (const session of await sessions.list()) {
      for (const { line, message } of (await sessions.read(session)).problems) {
        yield { kind: 'damaged', where: session.path, message: `line ${line}: ${message}` }
      }
    }
  }
}

/** True if there is a file of workspaces. */
export function hasWorkspaces(configDir: string): boolean {
  return existsSync(join(configDir, 'workspaces.json'))
}

/** Records that would be refused if written again. */
function* unreadable(collection: Collection, batch: readonly JsonObject[]): Iterable<Finding> {
  const { name, declaration } = collection
  // A store does not know the schemas of its collections, but we know those of ours.
  const ours = [minionsCollection, relationsCollection, typesCollection] as readonly unknown[] as Collection[]
  const checked = ours.find((each) => each.name === name && each.declaration.version === declaration.version)
  for (const record of batch) {
    try {
      ;(checked ?? collection).toWrite(record, 'doctor')
    } catch (error) {
      const key = declaration.key.map((property) => String(record[property])).join('/')
      yield { kind: 'damaged', where: name, message: `"${key}": ${(error as Error).message}` }
    }
  }
}

async function* dangling(
  store: Store,
  collection: Collection,
  target: Collection,
  reference: ReferenceDeclaration,
  batch: readonly JsonObject[],
): AsyncIterable<Finding> {
  const referring = batch.filter((record) => applies(collection, reference, record))
  const keys = referring.map((record) => reference.columns.map((name) => column(collection, name, record) as string))
  const there = await store.getMany(target, keys)
  for (const [index, record] of referring.entries()) {
    if (there[index]) continue
    const isRelation = collection.name === 'relations'
    yield {
      kind: isRelation ? 'dangling relation' : 'orphan',
      where: collection.name,
      message: `"${collection.keyParts(record).join('/')}" refers to "${keys[index]?.join('/')}" in ${target.name}, which does not exist`,
      ...(isRelation && { record }),
    }
  }
}

function applies(collection: Collection, { columns, when }: ReferenceDeclaration, record: JsonObject): boolean {
  if (columns.some((name) => column(collection, name, record) == null)) return false
  if (when === undefined) return true
  const value = column(collection, when.column, record)
  return 'eq' in when ? value === when.eq : value !== when.ne
}

function column(collection: Collection, name: string, record: JsonObject): unknown {
  const path = collection.declaration.columns.find((each) => each.name === name)?.path ?? name
  return valueAt(record, path.split('.'))
}

async function typeIds(store: Store, collections: readonly Collection[]): Promise<Set<string>> {
  const ids = new Set(builtinTypes.map(({ id }) => id))
  if (!collections.some(({ name }) => name === typesCollection.name)) return ids
  for await (const { record } of store.iterate(typesCollection)) ids.add(record.id)
  return ids
}

function* typeless(batch: readonly JsonObject[], types: ReadonlySet<string>): Iterable<Finding> {
  for (const { id, minionTypeId } of batch) {
    if (types.has(String(minionTypeId))) continue
    yield {
      kind: 'orphan',
      where: 'minions',
      message: `"${id}" is of the type "${minionTypeId}", which does not exist`,
    }
  }
}

/** Connections of a workspace go both ways; one that does not was written by another program. */
function* asymmetric(workspace: JsonObject): Iterable<Finding> {
  const nodes = Object(workspace.nodes) as Record<string, { connections?: readonly string[] }>
  for (const [id, node] of Object.entries(nodes)) {
    for (const other of node.connections ?? []) {
      const back = getOwn(nodes, other)?.connections
      if (back?.includes(id) && other !== id) continue
      const problem = back === undefined ? 'does not exist' : other === id ? 'is itself' : 'does not lead back'
      yield {
        kind: 'asymmetric edge',
        where: `workspace ${String(workspace.name)}`,
        message: `node "${id}" is connected to "${other}", which ${problem}`,
      }
    }
  }
}
