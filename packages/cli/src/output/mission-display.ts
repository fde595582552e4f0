import { setTimeout as delay } from 'node:timers/promises'
import { type MissionProgress, type MissionResult, missionText, type TenantMissions } from '@minions/colony'
import { coreError } from '@minions/core'
import type { Cli } from '../cli.js'
import { commandLine } from './command-line.js'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Shows a mission while it runs: the graph with its states at a terminal, one line per change elsewhere. */
class MissionDisplay {
  readonly #stream: NodeJS.WriteStream
  readonly #seen = new Map<string, string>()
  /** The command that decides on the approval that a task waits for. */
  readonly #hint: (approval: string) => string
  #text = ''
  #height = 0
  #frame = 0

  constructor(stream: NodeJS.WriteStream, hint: (approval: string) => string) {
    this.#stream = stream
    this.#hint = hint
  }

  /** Follows a mission until it has ended, or the signal is aborted. */
  async follow(progress: AsyncIterableIterator<MissionProgress>, signal: AbortSignal): Promise<void> {
    const stop = () => void progress.return?.()
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    const spinner = this.#stream.isTTY ? setInterval(() => this.#redraw(), 80) : undefined
    try {
      for await (const state of progress) this.#show(state)
    } finally {
      clearInterval(spinner)
      signal.removeEventListener('abort', stop)
    }
  }

  #show(state: MissionProgress): void {
    if (this.#stream.isTTY) {
      const hints = state.tasks.flatMap(({ approval }) => (approval === null ? [] : [this.#hint(approval)]))
      this.#text = [missionText(state).trimEnd(), ...hints].join('\n')
      this.#redraw()
      return
    }
    for (const { task_id, role_type, status, error, approval } of state.tasks) {
      if (status === 'pending' || this.#seen.get(task_id) === status) continue
      this.#seen.set(task_id, status)
      this.#stream.write(`${status.padEnd(9)} ${task_id} (${role_type})${error === null ? '' : `: ${error}`}\n`)
      if (approval !== null) this.#stream.write(`${this.#hint(approval)}\n`)
    }
  }

  /** Redraws in place; running tasks have a spinner. */
  #redraw(): void {
    if (this.#text === '') return
    const sign = FRAMES[this.#frame++ % FRAMES.length] ?? ''
    const width = Math.max(20, this.#stream.columns || 80)
    const lines = this.#text.replaceAll('▶', sign).split('\n')
    const drawn = lines.map(
      (line) =>
        `\u001b[2K${Array.from(line)
          .slice(0, width - 1)
          .join('')}`,
    )
    const up = this.#height > 0 ? `\u001b[${this.#height}A` : ''
    this.#stream.write(`${up}${drawn.join('\n')}\n`)
    this.#height = Math.max(this.#height, lines.length)
  }
}

/** Shows a mission of this process on a stream until it ends or is interrupted, and resolves to its result. */
export async function followMission(
  cli: Cli,
  stream: NodeJS.WriteStream,
  missions: TenantMissions,
  missionId: string,
  running: Promise<MissionResult>,
): Promise<MissionResult> {
  const { signal } = cli
  const display = displayOn(cli, stream)
  if (await hasBegun(missions, missionId, running)) await display.follow(missions.watch(missionId), signal)
  const result = await running
  // A mission that ended before it could be watched is shown in its final state.
  await display.follow(missions.watch(missionId), signal)
  return result
}

/** Shows a mission on a stream until it has ended, wherever it runs. */
export function showMission(cli: Cli, stream: NodeJS.WriteStream, missions: TenantMissions, id: string): Promise<void> {
  return displayOn(cli, stream).follow(missions.watch(id), cli.signal)
}

function displayOn(cli: Cli, stream: NodeJS.WriteStream): MissionDisplay {
  return new MissionDisplay(stream, (approval) => {
    const approve = commandLine(cli, ['approvals', 'approve', approval])
    return `It is waiting for a decision; in another terminal: ${approve} --by <you>`
  })
}

/** Waits for the first record of a mission, or for the one that reopens it. False if it ends before. */
async function hasBegun(missions: TenantMissions, id: string, running: Promise<MissionResult>): Promise<boolean> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  running.then(end, end)
  while (!isOver) {
    const progress = await missions.status(id).catch((error: unknown) => {
      if (coreError.is(error, 'NOT_FOUND')) return undefined
      throw error
    })
    if (progress?.status === 'running') return true
    await delay(10)
  }
  return false
}
