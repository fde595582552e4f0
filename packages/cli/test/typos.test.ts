import { beforeAll, describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

describe('a misspelt name', () => {
  const minions = new Minions()

  beforeAll(async () => {
    await minions.json(['create', 'task', '--title', 'Call Ada'])
    await minions.json(['prompts', 'new', '--title', 'Greeting', '--content', 'Hello {{name}}!'])
    await minions.json(['workspace', 'add', '--name', 'research'])
  })

  it.each([
    ['a command', ['creat', 'note'], 'did you mean create?'],
    ['a command below another', ['types', 'shwo', 'note'], 'did you mean show?'],
    ['an option', ['list', '--tpye', 'note'], 'did you mean --type?'],
    ['a value of an option', ['list', '--status', 'tod'], 'did you mean todo?'],
    ['a value of an argument', ['completion', 'bsh'], 'did you mean bash?'],
    ['a relation', ['link', 'Greeting', 'refrences', 'Greeting'], 'did you mean references?'],
    ['a type', ['create', 'nte', '--title', 'x'], 'did you mean "note"?'],
    ['a minion', ['get', 'Call Aad'], 'did you mean "Call Ada"?'],
    ['a field', ['list', '--where', '{"titel":"x"}'], 'did you mean "title"?'],
    ['a prompt', ['prompts', 'render', 'Greetin'], 'did you mean "greeting"?'],
    ['a workspace', ['workspace', 'context', 'reserach'], 'did you mean "research"?'],
    ['a schema', ['schemas', 'export', 'minon'], 'did you mean "minion"?'],
    ['an operation', ['operations', 'run', 'objects.creat'], 'did you mean "objects.create"?'],
    ['a storage scheme', ['list', '--storage', 'sqlit:./x.db'], 'did you mean "sqlite:"?'],
  ])('of %s is answered with the nearest', async (_, args, guess) => {
    const { code, stdout, stderr } = await minions.here(args)
    expect(code).not.toBe(0)
    expect({ stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ stdout: '', lines: 1 })
    expect(stderr).toContain(guess)
  })
})
