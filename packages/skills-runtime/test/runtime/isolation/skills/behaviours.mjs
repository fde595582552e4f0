// Skills for worker threads, good and bad.
import { isMainThread, parentPort, threadId } from 'node:worker_threads'

export const execute = async ({ n = 0 }) => ({ n: n + 1, threadId, isMainThread })

export function loopForEver() {
  for (;;) {}
}

export async function crash() {
  setImmediate(() => {
    throw new Error('nobody catches this')
  })
  await new Promise(() => {})
}

export async function rejectUnseen() {
  Promise.reject(new Error('nobody awaits this'))
  await new Promise((resolve) => setTimeout(resolve, 5000))
  return {}
}

/** Returns at once, and leaves a rejection behind that no one handles. */
export async function rejectAndReturn() {
  Promise.reject(new Error('nobody awaits this'))
  return {}
}

export function overflowHeap() {
  const kept = []
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => `${index}`))
}

export function exit({ code }) {
  process.exit(code)
}

export function overflowStack() {
  return overflowStack()
}

export async function fail() {
  throw Object.assign(new RangeError('too far'), { code: 'FAR', details: { by: 3 }, retryable: false, f: () => 1 })
}

export async function failOddly({ how }) {
  if (how === 'text') throw 'a text'
  if (how === 'nothing') throw undefined
  throw Object.defineProperty({}, 'message', {
    get() {
      throw new Error('trap')
    },
  })
}

export const returnFunction = () => ({ f: () => 1 })

export const notAFunction = 5

export async function useContext(_, context) {
  context.log.info('begun', { attempt: context.attempt })
  context.progress(0.5, 'half')
  await context.checkpoint({ step: (context.state?.step ?? 0) + 1 })
  const sent = await context.send('agent-2', { hello: true }, { priority: 1 })
  await context.publish('worker.news', { from: context.agentId })
  const answer = await context.request('agent-2', { question: 1 }, { timeout: 1000 })
  const mail = await context.receive({ timeout: 1000 })
  context.log.warn('done')
  return {
    facts: [context.agentId, context.executionId, context.attempt, context.idempotencyKey],
    sent: sent.message_type,
    answer: answer.payload,
    mail: mail.payload,
    methods: Object.getOwnPropertyNames(Object.getPrototypeOf(context)).sort(),
  }
}

export async function failInHost(_, context) {
  try {
    await context.checkpoint(undefined)
    return { failed: false }
  } catch (error) {
    return { failed: true, name: error.name, code: error.code, details: error.details }
  }
}

export async function letItThrow(_, context) {
  await context.checkpoint(undefined)
}

export function badProgress(_, context) {
  context.progress(2)
}

export function joinCommit(_, context) {
  context.onCommit(async () => {})
}

export function logAndReturn(_, context) {
  for (let line = 0; line < 100; line++) context.log.debug(`line ${line}`)
  context.progress(1)
  return {}
}

/** Sends the host what no thread should. */
export function postNonsense() {
  for (const nonsense of [null, 'x', {}, { type: 'minions-skills-thread', threadId: 1, port: {} }]) {
    parentPort.postMessage(nonsense)
  }
  return {}
}

/** Leaves something behind that uses its context while another skill runs in the thread. */
export function leaveBehind(_, context) {
  const { signal } = context
  globalThis.leftBehind = {
    speak: () => {
      context.log.debug('from the grave')
      context.progress(1)
      return context.publish('grave', {})
    },
    signal,
  }
  return {}
}

export async function wakeTheDead(_, context) {
  const answer = globalThis.leftBehind.speak().then(() => 'answered')
  await context.checkpoint({})
  return {
    answer: await Promise.race([answer, context.checkpoint({}).then(() => 'silence')]),
    aborted: globalThis.leftBehind.signal.aborted,
  }
}

export function logAndExit(_, context) {
  context.log.debug('last words')
  process.exit(1)
}

export async function untilAborted(_, context) {
  if (!context.signal.aborted) await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
  return { reason: context.signal.reason.message }
}

/** Heeds its signal, and raises the flag when its answer is certainly on its way: in a later turn of the event loop. */
export async function answerAbort({ flag }, context) {
  const aborted = new Promise((resolve) => context.signal.addEventListener('abort', resolve))
  context.progress(0)
  await aborted
  setTimeout(() => {
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
  }, 10)
  return { reason: context.signal.reason.message }
}

export async function hang(_, context) {
  context.progress(0, 'hanging')
  setInterval(() => {}, 1000)
  await new Promise(() => {})
}

export async function lookAround() {
  return {
    globals: ['minions', 'store', 'storage', 'app'].filter((name) => name in globalThis),
    workerData: JSON.stringify(process.env.MINIONS_TEST_MARK ?? null),
  }
}

export function changeEnvironment() {
  process.env.MINIONS_TEST_MARK = 'changed'
  globalThis.changed = true
  return {}
}

export async function checkpointOnce(_, context) {
  const before = context.state ?? null
  await context.checkpoint({ done: true })
  return { before, storage: typeof context.storage }
}

/** Says that it runs. */
export async function reports(_, context) {
  context.progress(0.5)
  return {}
}
