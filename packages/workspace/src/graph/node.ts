import { generateId, now } from '@minions/core'
import { guardMethods, takeList, takeOptions } from '@minions/core/plugin'
import { copyForFile } from '../json/copy.js'
import { GraphRecord } from './graph-record.js'
import { NodeType } from './node-type.js'
import { assertRecord, type NodeRecord } from './records.js'

/** The input for a new node: a name; everything else has a default. */
export type NodeInput = Pick<NodeRecord, 'name'> & Partial<NodeRecord>

/**
 * One entity of a workspace. `properties` and `state` may be changed by the caller; `connections` is managed by
 * `connectNodes` and `disconnectNodes` of the workspace.
 */
export class Node extends GraphRecord<NodeRecord> implements NodeRecord {
  declare id: string
  declare name: string
  declare type: NodeType
  declare properties: Record<string, unknown>
  declare connections: string[]
  declare state: Record<string, unknown>
  declare created_at: string

  constructor(input: NodeInput) {
    super('node', withDefaults(takeOptions('A node', input)))
  }

  static fromDict(data: NodeInput): Node {
    const record = copyForFile(data, 'The node')
    return new Node(record).preserveExtras(record)
  }
}

guardMethods(Node)

function withDefaults(input: Partial<NodeRecord>): NodeRecord {
  const { id = generateId(), name, type = NodeType.CUSTOM, properties = {} } = input
  const { connections = [], state = {}, created_at = now() } = input
  const record: unknown = { id, name, type, properties, connections, state, created_at }
  assertRecord('node', record)
  return { ...record, connections: takeList('The connections of a node', record.connections) }
}
