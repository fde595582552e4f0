// @ts-check
import { randomUUID } from 'node:crypto'
import { createClient, isMinionsError } from '@minions/client'

/** @typedef {{ operation: string, input: Record<string, any>, key: string, answer: any }} Acknowledged */

/**
 * Someone who works with a server all day: writes notes, changes and links them, and improves a prompt. A call whose answer
 * is lost is made again with the same idempotency key, until there is an answer.
 */
export class TeamMember {
  /** Everything that was answered. @type {Acknowledged[]} */
  acknowledged = []
  /** Ids of notes, in the order of their creation. @type {string[]} */
  #notes = []
  #isWorking = true
  #client
  #name
  #random

  /** @param {{ name: string, url: string, key: string, random: () => number }} options */
  constructor({ name, url, key, random }) {
    this.#name = name
    this.#random = random
    // It goes on for as long as the server takes to come back.
    this.#client = createClient({ url, key, retries: 1000 })
  }

  /** Works until it is told to stop. @param {() => void} onAnswer called after every answer to a write */
  async work(onAnswer) {
    await this.#write('prompts.create', { title: this.#name, content: 'Version 0, {{name}}.' })
    for (let step = 1; this.#isWorking; step++) {
      await this.#act(step)
      onAnswer()
    }
  }

  stop() {
    this.#isWorking = false
  }

  /** @param {number} step */
  async #act(step) {
    const choice = this.#random()
    const [last, other] = [this.#notes.at(-1), this.#notes.at(Math.floor(this.#random() * this.#notes.length))]
    if (choice < 0.4 || last === undefined || other === undefined) {
      const fields = { content: 'new' }
      const { id } = await this.#write('objects.create', { type: 'note', title: `${this.#name} ${step}`, fields })
      this.#notes.push(id)
    } else if (choice < 0.6) {
      await this.#write('objects.update', { id: other, fields: { content: `step ${step}` } })
    } else if (choice < 0.75 && last !== other) {
      await this.#write('relations.link', { sourceId: last, type: 'relates_to', targetId: other })
    } else if (choice < 0.9) {
      await this.#write('prompts.addVersion', { prompt: this.#name, content: `Version ${step}, {{name}}.` })
    } else {
      const { text } = await this.#call('prompts.render', { prompt: this.#name, variables: { name: 'Ada' } })
      if (!/^Version \d+, Ada\.$/.test(text)) throw new Error(`A prompt was rendered as ${text}`)
    }
  }

  /** @param {string} operation @param {Record<string, any>} input */
  async #write(operation, input) {
    const key = randomUUID()
    const answer = await this.#call(operation, input, key)
    this.acknowledged.push({ operation, input, key, answer })
    return answer
  }

  /**
   * @param {string} operation
   * @param {Record<string, any>} input
   * @param {string} [idempotencyKey]
   * @returns {Promise<any>}
   */
  async #call(operation, input, idempotencyKey = randomUUID()) {
    try {
      return await this.#client.call(operation, input, { idempotencyKey })
    } catch (error) {
      if (!isMinionsError(error)) throw error
      throw new Error(`${operation} of ${this.#name} was refused with ${error.code}: ${error.message}`, {
        cause: error,
      })
    }
  }
}
