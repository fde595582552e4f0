import { createHash } from 'node:crypto'
import { coreError, type Minion, type MinionOf, type MinionsAccess } from '@minions/core'
import { guardMethods } from '@minions/core/plugin'
import { foldText } from '@minions/core/storage'
import { thoughtType } from '@minions/core/types'
import { workspaceError } from '../errors.js'

/** Insights are thoughts with this tag. */
const TAG = 'insight'

export interface InsightInput {
  readonly content: string
  /** From 0 to 1. */
  readonly confidence?: number
  /** Source, e.g. the id of a workspace. */
  readonly source?: string
  readonly tags?: readonly string[]
}

/** An insight: a thought. */
export type Insight = MinionOf<typeof thoughtType>

/** Tier 3 of memory: insights for all workspaces, as thoughts that can be searched. */
export class Insights {
  readonly #minions: MinionsAccess

  constructor(minions: MinionsAccess) {
    this.#minions = minions
  }

  /**
   * Stores an insight. One with the same words, ignoring case and accents, is returned unchanged: its id is derived
   * from the words, so that concurrent additions create it once.
   */
  async add(insight: string | InsightInput, options: { readonly by?: string } = {}): Promise<Insight> {
    const input = typeof insight === 'string' ? { content: insight } : insight
    const { content, confidence, source, tags = [] }: Partial<InsightInput> = Object(input)
    if (typeof content !== 'string' || content.trim() === '') {
      throw workspaceError('VALIDATION_FAILED', 'An insight needs a text.')
    }
    const id = idOf(content)
    const fields = { content, ...(confidence !== undefined && { confidence }), ...(source !== undefined && { source }) }
    try {
      return (
        (await this.#existing(id)) ??
        (await this.#minions.create(
          thoughtType,
          { id, title: titleOf(content), tags: [TAG, ...tags], fields },
          options,
        ))
      )
    } catch (error) {
      const existing = coreError.is(error, 'CONFLICT') ? await this.#existing(id) : undefined
      if (existing) return existing
      throw error
    }
  }

  /** Insights whose text contains, for every word of the query, a word starting with it, newest first. */
  async search(text: string, options: { readonly limit?: number } = {}): Promise<Insight[]> {
    const { items } = await this.#minions.search(text, { ...newest, limit: options.limit ?? 20 })
    return items
  }

  /** The newest insights. */
  async latest(limit = 20): Promise<Insight[]> {
    const { items } = await this.#minions.find({ ...newest, limit })
    return items
  }

  async #existing(id: string): Promise<Insight | undefined> {
    const found: Minion | undefined = await this.#minions.get(id)
    if (!found) return undefined
    return (found.deletedAt ? await this.#minions.restore(id) : found) as Insight
  }
}

guardMethods(Insights)

const newest = {
  type: thoughtType,
  tags: [TAG],
  orderBy: [{ field: 'createdAt', direction: 'desc' }],
} as const

function idOf(content: string): string {
  return `insight-${createHash('sha256').update(foldText(content).trim()).digest('hex').slice(0, 40)}`
}

function titleOf(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= 80 ? line : `${characters.slice(0, 79).join('')}…`
}
