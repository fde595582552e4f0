import { generateId, now } from '@minions/core'
import { guardMethods, takeList, takeOptions } from '@minions/core/plugin'
import { copyForFile } from '../json/copy.js'
import { unknownMembers, withMembers } from './extras.js'
import { NodeType } from './node-type.js'
import { assertNode, type NodeRecord } from './records.js'

/** The input for a new node: a name; everything else has a default. */
export type NodeInput = Pick<NodeRecord, 'name'> & Partial<NodeRecord>

/**
 * One entity of a workspace. `properties` and `state` may be changed by the caller; `connections` is managed by
 * `connectNodes` and `disconnectNodes` of the workspace.
 */
export class Node implements NodeRecord {
  id: string
  name: string
  type: NodeType
  properties: Record<string, unknown>
  connections: string[]
  state: Record<string, unknown>
  created_at: string
  #extras: Record<string, unknown> = {}

  constructor(input: NodeInput) {
    const record = withDefaults(takeOptions('A node', input))
    assertNode(record)
    this.id = record.id
    this.name = record.name
    this.type = record.type
    this.properties = record.properties
    this.connections = takeList('The connections of a node', record.connections)
    this.state = record.state
    this.created_at = record.created_at
  }

  /** The record of the file, sharing nothing with the node. Throws when it holds a value that JSON cannot represent. */
  toDict(): NodeRecord {
    return copyForFile(withMembers({ ...this }, this.#extras), `The node ${JSON.stringify(this.name)}`)
  }

  toJSON(): NodeRecord {
    return this.toDict()
  }

  static fromDict(data: NodeInput): Node {
    const record = copyForFile(data, 'The node')
    const node = new Node(record)
    node.#extras = unknownMembers(record, node)
    return node
  }
}

guardMethods(Node)

function withDefaults(input: Partial<NodeRecord>): unknown {
  const { id = generateId(), name, type = NodeType.CUSTOM, properties = {} } = input
  const { connections = [], state = {}, created_at = now() } = input
  return { id, name, type, properties, connections, state, created_at }
}
