import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getOwn, type JsonObject } from '@minions/core/json'
import { type Workspace, WorkspaceManager, workspace as workspacePlugin } from '@minions/workspace'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { writeWhole } from '../output/write-file.js'
import type { Finding } from './diagnose.js'

export interface Repairs {
  /** The changes, one sentence each. */
  readonly done: readonly string[]
  /** The file with the removed records, one per line; absent if nothing was removed. */
  readonly kept?: string
}

/**
 * Repairs what needs no decision: relations to minions that do not exist, and one-way connections in workspaces.
 * Whatever is removed from the store is written to `keepIn` first.
 */
export async function repair(cli: Cli, findings: readonly Finding[], home: string, keepIn: string): Promise<Repairs> {
  const relations = findings.flatMap(({ kind, record }) => (kind === 'dangling relation' && record ? [record] : []))
  const edges = findings.filter(({ kind }) => kind === 'asymmetric edge')
  const done: string[] = []
  if (relations.length > 0) {
    await mkdir(dirname(keepIn), { recursive: true })
    await writeWhole(cli, keepIn, relations.map((record) => `${JSON.stringify(record)}\n`).join(''))
    done.push(...(await removeRelations(cli, relations)))
  }
  if (edges.some(({ record }) => record !== undefined)) {
    const plugins = [workspacePlugin({ configDir: home, store: 'storage' })] as const
    done.push(...(await withApp(cli, plugins, ({ workspace }) => workspace.update(mendAll))))
  }
  if (edges.some(({ record }) => record === undefined)) done.push(...(await new WorkspaceManager(home).update(mendAll)))
  return { done, ...(relations.length > 0 && { kept: keepIn }) }
}

function removeRelations(cli: Cli, relations: readonly JsonObject[]): Promise<string[]> {
  return withApp(cli, [], async (app) => {
    const done: string[] = []
    for (const { id, type, sourceId, targetId } of relations) {
      await app.unlink(String(id))
      done.push(`Removed the relation "${id}": ${sourceId} ${type} ${targetId}.`)
    }
    return done
  })
}

function mendAll(workspaces: Readonly<Record<string, Workspace>>): string[] {
  return Object.values(workspaces).flatMap((workspace) => [...mendConnections(workspace)])
}

/** Afterwards all connections go both ways, and none is dangling or leads to its own node. */
function* mendConnections(workspace: Workspace): Iterable<string> {
  for (const [id, node] of Object.entries(workspace.nodes)) {
    for (const other of [...node.connections]) {
      const target = getOwn(workspace.nodes, other)
      const of = `in workspace ${workspace.name}`
      if (target === undefined || other === id) {
        workspace.disconnectNodes(id, other)
        yield `Removed the connection of node "${id}" to ${other === id ? 'itself' : `"${other}", which does not exist,`} ${of}.`
      } else if (!target.connections.includes(id)) {
        workspace.connectNodes(id, other)
        yield `Connected node "${other}" back to "${id}" ${of}.`
      }
    }
  }
}
