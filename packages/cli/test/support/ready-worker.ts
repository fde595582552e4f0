import type { ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Resolves when a process that runs `minions worker` is ready. It is killed when the test is over. */
export async function readyWorker(child: ChildProcess): Promise<ChildProcess> {
  onTestFinished(() => void child.kill('SIGKILL'))
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
