import type { ChildProcess } from 'node:child_process'
import { afterAll } from 'vitest'

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Resolves when a process that runs `minions worker` is ready. It is killed when the tests of the file are over. */
export async function readyWorker(child: ChildProcess): Promise<ChildProcess> {
  started.push(child)
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  for await (const chunk of child.stdout?.setEncoding('utf8') ?? []) {
    output += chunk
    if (output.includes('is ready')) return child
  }
  throw new Error(`minions worker did not start: ${output}`)
}
