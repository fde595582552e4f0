import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('./child.mjs', import.meta.url))

/** Runs a task in several processes that all begin at the same moment; rejects if one of them fails. */
export async function runTogether(count: number, task: string, ...args: string[]): Promise<void> {
  const children = Array.from({ length: count }, () => start([task, ...args]))
  await Promise.all(children.map(({ ready }) => ready))
  for (const { process } of children) process.stdin?.write('go\n')
  await Promise.all(children.map(({ ended }) => ended))
}

function start(args: string[]): { process: ChildProcess; ready: Promise<unknown>; ended: Promise<void> } {
  const started = spawn(process.execPath, [child, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  started.stderr.on('data', (data) => {
    errors += data
  })
  const ended = once(started, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`A process ended with code ${code}:\n${errors}`)
  })
  return { process: started, ready: Promise.race([once(started.stdout, 'data'), ended]), ended }
}
