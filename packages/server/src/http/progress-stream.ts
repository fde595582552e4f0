import { MinionsError } from '@minions/core'
import type { Progress } from '@minions/core/operations'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { type Call, callOperation } from '../calls/call-operation.js'
import type { Run } from '../runs/run-record.js'
import type { ServedApp } from '../served-app.js'
import type { Environment } from './environment.js'
import { problemOf, toRefusal } from './problem.js'

/** Milliseconds between two heartbeats on an idle stream. */
const SIGN_OF_LIFE = 15_000

/** Milliseconds between two reads of a run in another process. */
const LOOKED_EVERY = 1_000

/**
 * Answers a call with server-sent events: `run` once it is visible to others, `progress` as the operation reports it,
 * and finally `result` or `problem`. A write continues when the stream is cut; its run has the outcome.
 */
export function progressStream(context: Context<Environment>, app: ServedApp, call: Call): Response {
  const requestId = context.get('requestId')
  return streamSSE(context, async (stream) => {
    const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) })
    const alive = setInterval(() => void stream.write(': \n\n'), SIGN_OF_LIFE)
    try {
      const latest = latestOnly(stream, (progress) => send('progress', progress))
      const result = await follow(app, call, latest, (run) => send('run', run))
      await send('result', result)
    } catch (error) {
      await send('problem', problemOf(toRefusal(error), requestId))
    } finally {
      clearInterval(alive)
    }
  })
}

type Tell<T> = (value: T) => void

/**
 * Makes the call and follows it to its end. A write that may take long is a run from the start, and is announced first.
 */
async function follow(app: ServedApp, call: Call, onProgress: Tell<Progress>, onRun: (run: Run) => Promise<void>) {
  const { operation, caller } = call
  const wait = operation.access === 'read' ? Number.POSITIVE_INFINITY : operation.atomic ? call.wait : 0
  let isTold = wait > 0
  let held: Progress | undefined
  const tell = (progress: Progress) => {
    if (isTold) onProgress(progress)
    else held = progress
  }
  const answer = await callOperation(app, { ...call, wait, onProgress: tell })
  if ('result' in answer) return answer.result
  const { runs } = app.server
  const viewer = { by: caller.by, tenant: caller.tenant, grant: caller }
  await onRun(answer.run)
  isTold = true
  if (held) onProgress(held)
  const isHere = runs.active(answer.run.id) !== undefined && !answer.replayed
  let run = answer.run
  while (run.status === 'running') {
    run = await runs.wait(run.id, LOOKED_EVERY, viewer)
    if (!isHere && run.progress) onProgress(run.progress)
  }
  if (run.status === 'succeeded') return run.result
  const { code = 'INTERNAL', message = '', details = {} } = run.error ?? {}
  throw new MinionsError(code, message, { details })
}

/** Sends one value at a time; a slow reader gets only the latest of those that arrive in the meantime. */
function latestOnly<T>(stream: SSEStreamingApi, send: (value: T) => Promise<void>): Tell<T> {
  let waiting: { readonly value: T } | undefined
  let isSending = false
  const flush = async () => {
    isSending = true
    while (waiting && !stream.aborted) {
      const { value } = waiting
      waiting = undefined
      await send(value)
    }
    isSending = false
  }
  return (value) => {
    waiting = { value }
    if (!isSending) void flush()
  }
}
