import type { Relation } from '@minions/core'
import { compareCodePoints, getOrInsert, isRecord } from '@minions/core/json'
import type { ChainReader } from '../chain/chain-reader.js'
import { isLabel, PRODUCTION } from './label-name.js'
import type { LabelState } from './label-state.js'

/**
 * A label move is stored as `references` relations from the prompt to the new versions. Moves of `production` are
 * publications, which are counted under that name.
 */
interface MoveMetadata {
  readonly label?: string
  readonly move?: number
  readonly publication?: number
  /** In per cent; absent where the label points to one version. */
  readonly weight?: number
  /** Position among several targets. */
  readonly position?: number
  readonly salt?: string
  readonly reason?: string
  /** The label was removed; the relation is from the prompt to itself. */
  readonly removed?: boolean
}

interface MoveTarget extends MoveMetadata {
  readonly relation: Relation
  readonly label: string
  readonly move: number
}

/** The move described by a relation; undefined if it does not describe one. */
export function moveIn(relation: Relation): MoveTarget | undefined {
  const { metadata } = relation
  if (relation.type !== 'references' || !isRecord(metadata)) return undefined
  const { label, move, publication, ...rest } = metadata as MoveMetadata
  if (isCount(publication)) return { ...rest, relation, label: PRODUCTION, move: publication }
  return isLabel(label) && isCount(move) ? { ...rest, relation, label, move } : undefined
}

/** The metadata of a move, for one of its targets. */
export function moveMetadata(label: string, move: number, rest: object) {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return label === PRODUCTION ? { publication: move, ...given } : { label, move, ...given }
}

/** Every move of every label of prompts, by the id of the prompt, oldest first. */
export async function movesOf(reader: ChainReader, promptIds: readonly string[]): Promise<Map<string, LabelState[]>> {
  const byPrompt = new Map<string, MoveTarget[]>(promptIds.map((id) => [id, []]))
  for (const relation of await reader.relations('sourceIds', promptIds, ['references'])) {
    const target = moveIn(relation)
    if (target) byPrompt.get(relation.sourceId)?.push(target)
  }
  return new Map([...byPrompt].map(([promptId, targets]) => [promptId, statesOf(promptId, targets)]))
}

/** The current targets of a prompt's labels, given all their moves. */
export function currentOf(moves: readonly LabelState[]): LabelState[] {
  const current = new Map<string, LabelState>()
  for (const move of moves) current.set(move.label, move)
  return [...current.values()].sort((a, b) => compareCodePoints(a.label, b.label))
}

function statesOf(promptId: string, targets: readonly MoveTarget[]): LabelState[] {
  const moves = new Map<string, MoveTarget[]>()
  for (const target of targets) {
    const key = `${target.label} ${target.move}`
    getOrInsert(moves, key, () => []).push(target)
  }
  const states = [...moves.values()].map((list) => stateOf(promptId, list))
  return states.sort((a, b) => compareCodePoints(a.label, b.label) || a.move - b.move)
}

/** Combines the relations of one move. */
export function stateOf(promptId: string, targets: readonly MoveTarget[]): LabelState {
  const inOrder = targets.toSorted(
    (a, b) => (a.position ?? 0) - (b.position ?? 0) || compareCodePoints(a.relation.id, b.relation.id),
  )
  const [{ relation, label, move, salt, reason }] = inOrder as [MoveTarget, ...MoveTarget[]]
  const kept = inOrder.filter(({ removed }) => !removed)
  return {
    promptId,
    label,
    move,
    targets: kept.map(({ relation: { targetId }, weight = 100 }) => ({ versionId: targetId, weight })),
    at: relation.createdAt,
    ...(salt !== undefined && { salt }),
    ...(relation.createdBy !== undefined && { by: relation.createdBy }),
    ...(reason !== undefined && { reason }),
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
