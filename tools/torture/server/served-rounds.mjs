// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@minions/client'
import { writesBeforeKill } from '../kill-rounds.mjs'
import { randomFrom } from '../random.mjs'
import { spread } from '../results.mjs'
import { minions, ServedProcess } from './served-process.mjs'
import { TeamMember } from './team-member.mjs'
import { verifyDay } from './verify-day.mjs'

/**
 * @typedef {object} ServedRoundsOptions
 * @property {string} home folder of the command's own files
 * @property {string} storage URL of the store
 * @property {number} kills
 * @property {number} [servers] processes that serve the store; 1 unless given
 * @property {number} seed
 * @property {(done: number) => void} [onProgress]
 */

const MEMBERS = 4

/** Most answers of a server to writes before it is killed. */
const MOST_ANSWERS = 30

/** Most milliseconds between the last of them and the kill. */
const LONGEST_DELAY = 20

/** Milliseconds that listeners which have heard everything are given to hear something twice. */
const AFTERWARDS = 500

/**
 * Lets a team work through servers that are killed in the middle of writes and started again, while others listen. Fails
 * unless everything that was answered is there, once, and every listener heard of it, once. One server in four is told to
 * stop instead, and must answer what it has begun.
 * @param {ServedRoundsOptions} options
 * @returns {Promise<import('../results.mjs').Outcome>}
 */
export async function servedRounds({ kills, servers: count = 1, seed, onProgress, ...options }) {
  const random = randomFrom(seed)
  const key = await minions(options, ['keys', 'create', '--owner', 'ada', '--scope', 'write'])
  /** @type {{ process: ServedProcess, answers: number }[]} */
  const servers = []
  const end = new AbortController()
  try {
    for (let index = 0; index < count; index++) {
      servers.push({ process: await ServedProcess.start(options), answers: 0 })
    }
    const listeners = servers.map(({ process }) => listen(process.url, key, end.signal))
    const team = servers.flatMap((server, place) =>
      Array.from({ length: MEMBERS / count }, (_, index) => {
        const name = `Member ${place}-${index}`
        const own = randomFrom(seed + place * MEMBERS + index)
        const member = new TeamMember({ name, url: server.process.url, key, random: own })
        const day = member.work(() => {
          server.answers += 1
        })
        return { member, day }
      }),
    )
    const ends = [...team.map(({ day }) => day), ...listeners.map(({ ended }) => ended)]
    const broken = Promise.all(ends).then(() => undefined)
    broken.catch(() => {})
    /** @type {number[]} */
    const beforeKill = []
    while (beforeKill.length < kills) {
      const victim = /** @type {typeof servers[number]} */ (servers[Math.floor(random() * count)])
      const isGraceful = random() < 0.25
      const answers = await answersBeforeEnd(victim, { random, broken, signal: isGraceful ? 'SIGTERM' : 'SIGKILL' })
      if (!isGraceful) beforeKill.push(answers)
      onProgress?.(beforeKill.length)
      await victim.process.start()
    }
    for (const { member } of team) member.stop()
    await Promise.all(team.map(({ day }) => day))
    const acknowledged = team.flatMap(({ member }) => member.acknowledged)
    const changes = acknowledged.filter(({ operation }) => operation.startsWith('objects.')).length
    await until(() => listeners.every(({ events }) => events.length >= changes), broken)
    await sleep(AFTERWARDS)
    const heard = listeners.map(({ events }) => events)
    for (const { process } of servers) await verifyDay({ url: process.url, key, acknowledged, heard, seed })
    return { kills, acknowledged: acknowledged.length, beforeKill: spread(beforeKill) }
  } finally {
    end.abort()
    for (const { process } of servers) await process.end()
  }
}

/**
 * Waits until a server has answered so many writes that it is time to end it, and ends it.
 * @param {{ process: ServedProcess, answers: number }} server
 * @param {{ random: () => number, broken: Promise<void>, signal: 'SIGKILL' | 'SIGTERM' }} options
 * @returns {Promise<number>} how many it has answered
 */
async function answersBeforeEnd(server, { random, broken, signal }) {
  const before = server.answers
  const due = before + writesBeforeKill(random, MOST_ANSWERS)
  await until(() => server.answers >= due, broken)
  await sleep(random() * LONGEST_DELAY)
  const outcome = await server.process.end(signal)
  if (signal === 'SIGTERM' && outcome !== 0) throw new Error(`A server that was told to stop ended with ${outcome}.`)
  return server.answers - before
}

/**
 * Collects what a client hears of notes, through all restarts.
 * @param {string} url
 * @param {string} key
 * @param {AbortSignal} signal
 */
function listen(url, key, signal) {
  /** @type {import('@minions/client').ChangeEvent[]} */
  const events = []
  const follow = async () => {
    for await (const event of createClient({ url, key, retries: 1000 }).events({
      type: 'note',
      since: 'start',
      signal,
    }))
      events.push(event)
  }
  const ended = follow().catch((error) => {
    if (!signal.aborted) throw error
  })
  return { events, ended }
}

/** @param {() => boolean} isReached @param {Promise<void>} broken rejects when it never will be */
async function until(isReached, broken) {
  while (!isReached()) await Promise.race([sleep(5), broken.then(() => sleep(5))])
}
