import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandName } from '../src/program/catalogue.js'
import { allCommands } from './support/commands.js'
import { BIN, Minions } from './support/minions.js'

describe('the command line', () => {
  it.each([
    [['--bogus'], /unknown option/],
    [['frobnicate'], /unknown command/],
    [['lst'], /unknown command 'lst'; did you mean list\?/],
    [['get'], /missing required argument/],
    [['get', 'a', 'b'], /too many arguments/],
    [['list', '--limit', 'many'], /whole number/],
    [['list', '--status', 'sleeping'], /Allowed choices/],
    [['create', 'note'], /--title/],
    [['update', 'some-id', '--by', 'ada'], /name what to change/],
    [['types', 'evolve', 'note'], /name what to change/],
    [['workspace', 'update', 'w'], /name what to change/],
    [['types', 'create', '--slug', 'x', '--field', 'a:colour'], /is not a field type/],
    [['copy', '--from', 'memory:'], /--to/],
    [['artifacts', 'list'], /--tenant/],
    [['schemas', 'export'], /--to/],
    [['workspace', 'set-state', 'w'], /--key/],
  ])('%j is a usage error, in one line', async (args, message) => {
    const { code, stdout, stderr } = await new Minions().here(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^minions: USAGE: [^\n]+\n$/)
    expect(stderr).toMatch(message)
  })

  it('shows the commands of a group that was named alone', async () => {
    const outcome = await new Minions().here(['types'])
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: minions types/) })
  })

  it('takes no notice of a reader that has gone, and says when output is lost', async () => {
    const minions = new Minions()
    const shell = (line: string) => {
      const options = { cwd: minions.home, env: { ...process.env, MINIONS_HOME: minions.home } }
      return spawnSync(
        'bash',
        ['-o', 'pipefail', '-c', `minions() { "${process.execPath}" "${BIN}" "$@"; }; ${line}`],
        {
          ...options,
          encoding: 'utf8',
        },
      )
    }
    expect(shell('minions --help | true').status).toBe(0)
    expect(shell('minions lst 2>&1 >/dev/null | true').status).toBe(2)
    const full = shell('minions --version > /dev/full')
    expect(full).toMatchObject({ status: 1, stderr: expect.stringMatching(/^minions: FILE_UNWRITABLE: [^\n]+\n$/) })
  })

  it.each([
    [['get', 'nobody'], 'NOT_FOUND'],
    [['get', '__proto__'], 'NOT_FOUND'],
    [['create', 'constructor', '--title', 'x'], 'NOT_FOUND'],
    [['create', 'note', '--title', 'x'], 'VALIDATION_FAILED'],
    [['create', 'note', '--title', 'x', '--fields', '{'], 'INVALID_JSON'],
    [['create', 'note', '--title', 'x', '--fields', '[]'], 'VALIDATION_FAILED'],
    [['create', 'note', '--title', 'x', '--content', '@absent.md'], 'FILE_UNREADABLE'],
    [['list', '--storage', 'memory:', '--where', '{"title":{"like":"x"}}'], 'INVALID_QUERY'],
    [['list', '--storage', 'memory:', '--cursor', 'nonsense'], 'INVALID_CURSOR'],
    [['list', '--storage', 'mongo://x'], 'UNKNOWN_SCHEME'],
    [['list', '--storage', 'postgres://nobody:secret@127.0.0.1:1/none'], 'STORAGE_UNAVAILABLE'],
    [['list', '--plugin', 'no-such-plugin'], 'PLUGIN_NOT_LOADED'],
    [['import', 'absent.jsonl'], 'FILE_UNREADABLE'],
    [['copy', '--from', 'sqlite:./absent.db', '--to', 'memory:'], 'NOT_FOUND'],
    [['schemas', 'export', 'absent'], 'NOT_FOUND'],
  ])('%j is refused with %s, in one line', async (args, code) => {
    const outcome = await new Minions().here(args)
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toMatch(new RegExp(`^minions: ${code}: [^\\n]+\\n$`))
    expect(outcome.stderr).not.toContain('secret')
  })

  // Each in another state when it fails: nothing loaded, a command loaded, a store open, none to be had.
  it.each([
    [['--bogus'], 2, 'USAGE'],
    [['list', '--limit', 'many'], 2, 'USAGE'],
    [['create', 'note', '--title', 'x'], 1, 'VALIDATION_FAILED'],
    [['list', '--storage', 'postgres://nobody:secret@127.0.0.1:1/none'], 1, 'STORAGE_UNAVAILABLE'],
  ])('the process of %j ends with %i, with %s on standard error', async (args, code, error) => {
    const outcome = await new Minions().run(args)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toMatch(new RegExp(`^minions: ${error}: [^\\n]+\\n$`))
  })

  it('shows the stack only with --debug', async () => {
    const minions = new Minions()
    writeFileSync(minions.path('broken.db'), 'this is no database, whatever its name says. '.repeat(200))
    const args = ['list', '--storage', 'sqlite:./broken.db']
    expect((await minions.here(args)).stderr).toMatch(/^minions: STORAGE_CORRUPT: [^\n]+\n$/)
    expect((await minions.here([...args, '--debug'])).stderr).toMatch(/\n\s+at /)
  })

  it('prints help, with an example, for every command', async () => {
    for (const { words, command } of await allCommands()) {
      let text = ''
      command.configureOutput({ writeOut: (part) => (text += part) })
      command.outputHelp()
      expect(text, words).toMatch(/Examples?:\n {2}\$ minions /)
      expect(text, words).toContain('--json')
      expect(command.description(), words).not.toBe('')
    }
  })

  it('finds the command behind global options', () => {
    expect(commandName(['--storage', 'list', '--json', 'get', 'x'])).toBe('get')
    expect(commandName(['help', 'types'])).toBe('types')
    expect(commandName(['--help'])).toBeUndefined()
  })

  it('lists the commands of operations that no other command does', async () => {
    const { stdout } = await new Minions().here(['prompts', '--help'])
    for (const verb of ['used-by', 'record-outcome', 'tests-from-executions']) {
      expect(stdout).toMatch(new RegExp(`^ +${verb} `, 'm'))
    }
  })

  it('answers --help, --version and nothing at all with 0', async () => {
    const minions = new Minions()
    for (const args of [['--help'], ['--version'], [], ['prompts', 'render', '--help'], ['help', 'copy']]) {
      const { code, stdout } = await minions.run(args)
      expect({ args, code }).toEqual({ args, code: 0 })
      expect(stdout).not.toBe('')
    }
  })
})
