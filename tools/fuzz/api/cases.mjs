// @ts-check

import { attempt } from './attempt.mjs'
import { mutationsAt, positionsIn, showPosition } from './positions.mjs'
import { World } from './world.mjs'

/** @import { Mutation } from './positions.mjs' */
/** @import { Target } from './targets.mjs' */
/** @import { Verdict } from './attempt.mjs' */
/** @typedef {{ target: string, parts: readonly { position: string, value: string }[] } & Verdict} Finding */

/** A call that is late is made again, since other processes may have been in its way. */
const TRIES_OF_LATE_CALLS = 3

/** The arguments that a target takes, in a world of its own. */
export class Scene {
  /** @type {World | undefined} */
  #world

  /** @param {Target} target */
  constructor(target) {
    this.target = target
  }

  /** Valid arguments, fresh for each call, since calls change what they refer to. */
  async args() {
    const { valid } = this.target
    return valid === undefined ? [] : [...(await this.#from(valid))]
  }

  /** Calls the target with its arguments changed. @param {readonly Mutation[]} mutations */
  async run(mutations, patience = 1) {
    const args = mutations.reduce((given, mutation) => mutation.apply(given), await this.#freshArgs())
    const subject = await this.#from(this.target.subject)
    return attempt(this.target, subject, args, patience)
  }

  async close() {
    const world = this.#world
    this.#world = undefined
    // A world that a hostile call has left unusable need not close properly.
    await world?.close().catch(() => undefined)
  }

  /** The last call may have closed or emptied the world. */
  async #freshArgs() {
    try {
      return await this.args()
    } catch {
      await this.close()
      return this.args()
    }
  }

  /**
   * What is made of the world, which is opened only for what takes one: that costs more than most calls.
   *
   * @template T
   * @param {(world: World) => T} make
   */
  async #from(make) {
    return make.length === 0 ? /** @type {() => T} */ (make)() : make(await this.#open())
  }

  async #open() {
    if (this.#world === undefined) {
      this.#world = await World.open()
      await this.target.prepare?.(this.#world)
    }
    return this.#world
  }
}

/**
 * Every single change of the arguments of a target, by position.
 *
 * @param {Target} target
 * @param {readonly unknown[]} args
 * @returns {Mutation[][]}
 */
export function mutationsOf(target, args) {
  return positionsIn(args, target.parameters + 1).map((position) => mutationsAt(args, position))
}

/**
 * @param {Scene} scene
 * @param {readonly Mutation[]} mutations
 * @returns {Promise<Finding | undefined>}
 */
export async function tryCase(scene, mutations) {
  let verdict = await scene.run(mutations)
  for (let tries = 2; isLate(verdict) && tries <= TRIES_OF_LATE_CALLS; tries++) {
    verdict = await scene.run(mutations, tries)
  }
  return verdict && { ...describeCase(scene.target, mutations), ...verdict }
}

/** @param {Verdict | undefined} verdict */
const isLate = (verdict) => verdict?.kind === 'slow' || verdict?.kind === 'endless'

/** @param {Target} target @param {readonly Mutation[]} mutations */
export function describeCase({ name }, mutations) {
  return {
    target: name,
    parts: mutations.map(({ position, value }) => ({ position: showPosition(position), value })),
  }
}
