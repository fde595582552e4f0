import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { env, execPath, platform } from 'node:process'
import { skillsError } from '../../errors.js'
import type { AgentSkill } from './agent-skill.js'
import { checkedFile } from './checked-file.js'
import { endProcesses } from './end-processes.js'

export interface ScriptResult {
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ScriptInput {
  readonly args?: readonly string[]
  /** Text for its standard input, which is empty otherwise. */
  readonly stdin?: string
}

const MAX_OUTPUT_BYTES = 1024 * 1024
/** Milliseconds to wait for output once a script has ended. */
const LAST_OUTPUT = 1_000

/** Interpreters of scripts by extension. Any other script must be executable itself. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.sh': 'sh',
  '.bash': 'bash',
  '.js': execPath,
  '.mjs': execPath,
  '.cjs': execPath,
}

// Variables that programs need; secrets in the environment are withheld from skills.
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot', 'TEMP']

/**
 * Runs a script of a skill in its own process, with a list of arguments and no shell. When the signal is aborted, or it
 * prints more than a megabyte, the script and the processes that it started are killed; so are those that it leaves behind.
 */
export async function runScript(
  skill: AgentSkill,
  path: string,
  { args = [], stdin = '' }: ScriptInput,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const real = await checkedFile(skill, path, Number.POSITIVE_INFINITY)
  signal.throwIfAborted()
  const interpreter = INTERPRETERS[extname(path).toLowerCase()]
  const [command, ...rest] = interpreter === undefined ? [real, ...args] : [interpreter, real, ...args]
  const run = randomUUID()
  const child = spawn(command as string, rest, {
    cwd: skill.folder,
    env: {
      ...Object.fromEntries(PASSED_ON.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]]))),
      MINIONS_SCRIPT: run,
    },
    shell: false,
    // Its own process group, so that its children can be ended with it.
    detached: platform !== 'win32',
    stdio: 'pipe',
  })
  const failed = (why: string, options?: { readonly cause: unknown }) =>
    skillsError('SKILL_FAILED', `The script "${path}" of "${skill.name}" ${why}`, options)
  const mark = `MINIONS_SCRIPT=${run}`
  const end = () => endProcesses(child.pid, mark)
  return new Promise<ScriptResult>((resolve, reject) => {
    const closeOutput = () => {
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const fail = (error: unknown) => {
      end()
      closeOutput()
      reject(error)
    }
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let bytes = 0
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= MAX_OUTPUT_BYTES) output[stream].push(chunk)
        else fail(failed(`printed more than ${MAX_OUTPUT_BYTES} bytes.`))
      })
    }
    child.stdin.on('error', () => {}) // A script need not read its input.
    child.stdin.end(stdin)
    const onAbort = () => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    child.on('error', (cause) => {
      signal.removeEventListener('abort', onAbort)
      fail(failed(`cannot be started: ${cause.message}`, { cause }))
    })
    // Remaining children may hold its output open, so they are ended with the script.
    child.on('exit', () => {
      end()
      const endLate = () => {
        // A process has no environment for a moment while it starts a program, so it may have been missed.
        endProcesses(undefined, mark)
        setImmediate(closeOutput)
      }
      setTimeout(endLate, LAST_OUTPUT).unref()
    })
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort)
      const text = (stream: 'stdout' | 'stderr') => Buffer.concat(output[stream]).toString('utf8')
      if (code !== null) resolve({ exit_code: code, stdout: text('stdout'), stderr: text('stderr') })
      else reject(failed(`was ended by ${killedBy}.`))
    })
  })
}
