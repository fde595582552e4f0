import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import {
  currentProcess,
  formatProcess,
  hasEnded,
  type ProcessIdentity,
  parseProcess,
} from '../../src/coordination/index.js'

const built = JSON.stringify(new URL('../../dist/coordination/index.js', import.meta.url))
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that does nothing, and its identity as it says itself. */
async function start(before = ''): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
  const script = `
    ${before}
    const { currentProcess, formatProcess } = await import(${built})
    console.log(formatProcess(currentProcess()))
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  children.push(child)
  const [line] = await once(child.stdout, 'data')
  return { child, identity: parseProcess(String(line).trim()) as ProcessIdentity }
}

it('is written as a text and read again', () => {
  expect(parseProcess(formatProcess(currentProcess()))).toEqual(currentProcess())
  expect(currentProcess().pid).toBe(process.pid)
  for (const text of ['', '1-2-3', `${formatProcess(currentProcess())}-4`, `x${formatProcess(currentProcess())}`]) {
    expect(parseProcess(text)).toBeUndefined()
  }
})

it('tells a process that runs, or only sleeps, from one that has ended', async () => {
  const { child, identity } = await start()
  expect(identity.pid).toBe(child.pid)
  expect(hasEnded(identity)).toBe(false)
  child.kill('SIGSTOP')
  expect(hasEnded(identity)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(hasEnded(identity)).toBe(true)
})

it('knows that a process has ended when another has its number, or the machine was booted since', async () => {
  const { identity } = await start()
  expect(hasEnded({ ...identity, start: '1' })).toBe(true)
  expect(hasEnded({ ...identity, boot: 'f'.repeat(12) })).toBe(true)
})

it('is certain of nothing on other machines, in other containers, or where the start is unknown', async () => {
  const { identity } = await start()
  expect(hasEnded({ ...identity, pid: 999_999_999, machine: 'f'.repeat(12) })).toBe(false)
  expect(hasEnded({ ...identity, pid: 999_999_999, namespace: 'f'.repeat(12) })).toBe(false)
  expect(hasEnded({ ...identity, start: '0' })).toBe(false)
})

it('gives each page of a browser an identity of its own, of which nothing is certain', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => start('process.getBuiltinModule = undefined')))
  expect(one?.identity.machine).not.toBe(other?.identity.machine)
  expect(hasEnded(one?.identity as ProcessIdentity)).toBe(false)
})
