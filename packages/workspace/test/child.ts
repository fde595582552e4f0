import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a script of `test/children` on the built package and resolves to what it printed. */
export function runChild(script: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(`./children/${script}`, import.meta.url))
    const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    child.stderr.on('data', (data) => {
      errors += data
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${script} ended with ${code}: ${errors}`)),
    )
  })
}
