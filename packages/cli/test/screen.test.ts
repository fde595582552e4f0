import stringWidth from 'string-width'
import { beforeAll, describe, expect, it } from 'vitest'
import { relativeTime } from '../src/output/times.js'
import { displayWidth, withoutColours, wrap } from '../src/output/width.js'
import { Minions } from './support/minions.js'

const widthOf = (text: string) => Math.max(...withoutColours(text).split(/\r?\n/).map(displayWidth))

describe('at a terminal', () => {
  const minions = new Minions()

  beforeAll(async () => {
    const long = 'A title that goes on for much longer than any terminal of a reasonable width has room for 日本語'
    await minions.json(['create', 'note', '--title', long, '--content', 'x'])
    await minions.json(['create', 'task', '--title', 'Call Ada', '--status', 'todo'])
    await minions.json(['create', 'note', '--title', 'Essay', '--content', `${long} ${long}\n${long}`])
    await minions.json(['prompts', 'new', '--title', 'Greeting', '--content', 'Hello {{name}}'])
    await minions.json(['colony', 'run', '--example', '--storage', `sqlite:${minions.path('minions.db')}`])
  })

  const commands = [
    ['list', '--all'],
    ['get', 'Call Ada'],
    ['get', 'Essay'],
    ['types', 'list'],
    ['types', 'show', 'task'],
    ['prompts', 'list'],
    ['agents', 'list'],
    ['executions', 'list'],
    ['artifacts', 'list', '--tenant', 'tenant_velocity'],
    ['config', 'show'],
    ['operations', 'list'],
    ['schemas', 'list'],
  ]

  it.each([60, 80])('no row of any table is broken at %i columns', { timeout: 300_000 }, async (columns) => {
    for (const command of commands) {
      const { code, stdout } = await minions.here(command, { columns })
      expect(code, `${command.join(' ')}: ${stdout}`).toBe(0)
      expect(widthOf(stdout), `${command.join(' ')}:\n${stdout}`).toBeLessThanOrEqual(columns)
    }
  })

  it('what rows are called stays whole, or else as long as tells them apart', { timeout: 60_000 }, async () => {
    for (const columns of [60, 80]) {
      const { stdout } = await minions.atTerminal(['operations', 'list', 'prompts'], [], { NO_COLOR: '1' }, columns)
      expect(widthOf(stdout)).toBe(columns)
      for (const name of ['prompts.renderMessages', 'prompts.render']) {
        expect(stdout).toMatch(new RegExp(`^${name.replace('.', '\\.')} +read `, 'm'))
      }
    }
    const list = ['artifacts', 'list', '--tenant', 'tenant_velocity']
    const { stdout } = await minions.atTerminal(list, [], { NO_COLOR: '1' }, 80)
    expect(widthOf(stdout)).toBeLessThanOrEqual(80)
    const [head = '', ...rows] = stdout.trim().split(/\r?\n/)
    const ids = rows.map((row) => row.slice(0, head.indexOf('TASK')))
    expect(new Set(ids).size).toBe((await minions.json(list)).length)
  })

  it('times are relative, headings and states are coloured, ids are as short as they can be', async () => {
    const { stdout } = await minions.atTerminal(['list'], [], {}, 80)
    expect(stdout).toMatch(/just now|\d+ (seconds?|minutes?) ago/)
    expect(stdout).not.toMatch(/\d{4}-\d\d-\d\dT/)
    expect(stdout).toContain('\u001b[1mTITLE\u001b[22m')
    expect(stdout).toContain('\u001b[33mtodo\u001b[39m')
    const [, id = ''] = /^([0-9a-f]{8})\s+task/m.exec(stdout) ?? []
    expect(await minions.json(['get', id])).toMatchObject({ title: 'Call Ada' })
  })

  it('NO_COLOR takes the colours away, and an error has one', async () => {
    const plain = await minions.atTerminal(['list'], [], { NO_COLOR: '1' })
    expect(plain.stdout).not.toContain('\u001b[1m')
    const failed = await minions.atTerminal(['get', 'nothing-of-this-name'], [])
    expect(failed.stdout).toContain('\u001b[31mNOT_FOUND\u001b[39m')
  })

  it('elsewhere times are whole, and so are ids', async () => {
    const { stdout } = await minions.run(['list'])
    expect(stdout).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27} .*\d{4}-\d\d-\d\dT[\d:.]+Z$/m)
    expect(stdout).not.toContain('\u001b')
  })
})

describe('displayWidth', () => {
  it.each([
    'plain',
    '日本語',
    'e\u0301te\u0301',
    '👩‍👩‍👧 family',
    '1\u20e3',
    '❤️',
    'ｶﾞ',
    '\u200b',
    'नमस्ते',
    '가각',
    '\u001b[31mred\u001b[39m',
  ])('measures %j as string-width does', (text) => {
    expect(displayWidth(text)).toBe(stringWidth(text))
  })
})

describe('wrap', () => {
  it('breaks between words, and within one that is longer than a line', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
    expect(wrap('日本語', 4)).toEqual(['日本', '語'])
  })
})

describe('relativeTime', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  it.each([
    ['2026-06-15T12:00:00Z', 'just now'],
    ['2026-06-15T11:59:30Z', '30 seconds ago'],
    ['2026-06-15T11:57:00Z', '3 minutes ago'],
    ['2026-06-15T09:00:00Z', '3 hours ago'],
    ['2026-06-13T12:00:00Z', '2 days ago'],
    ['2026-01-15T12:00:00Z', '5 months ago'],
    ['2023-06-15T12:00:00Z', '3 years ago'],
    ['2026-06-17T12:00:00Z', 'in 2 days'],
    ['not a time', 'not a time'],
  ])('%s is %s', (time, text) => {
    expect(relativeTime(time, now)).toBe(text)
  })
})
