import { spawn } from 'node:child_process'
import type { Cli } from '../cli.js'

/** Opens an address in the user's browser, if there is a display; fails silently. */
export function openInBrowser({ env, stdout }: Cli, url: string): void {
  const command = stdout.isTTY ? openerOf(env) : undefined
  if (!command) return
  const [program, ...args] = command
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  // The address was printed, so that the user can open it by hand.
  child.on('error', () => undefined)
  child.unref()
}

function openerOf(env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open']
  // `start` would take the address for the title of a window.
  if (process.platform === 'win32') return ['explorer.exe']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
