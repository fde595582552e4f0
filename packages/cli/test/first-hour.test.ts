import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const book = ['types', 'create', '--slug', 'book', '--field', 'author:string!', '--field', 'year:number!']

describe('the wizard', () => {
  it('asks for the title and every required field, and takes no wrong answer', async () => {
    const minions = new Minions()
    await minions.json(book)
    const { code, stdout } = await minions.atTerminal(
      ['create', 'book'],
      [
        [/title of the new book/, 'Notes\r'],
        [/author/, 'Ada\r'],
        [/year/, 'soon\r'],
        [/year must be a number/, '\b\b\b\b1843\r'],
      ],
    )
    expect(code, stdout).toBe(0)
    expect(await minions.json(['list', '--type', 'book'])).toMatchObject([
      { title: 'Notes', fields: { author: 'Ada', year: 1843 } },
    ])
  })

  it('does not ask for what was given, and elsewhere says what is missing', async () => {
    const minions = new Minions()
    await minions.json(book)
    const given = ['create', 'book', '--title', 'T', '--field', 'author=Ada']
    const { code } = await minions.atTerminal(given, [[/year/, '1843\r']])
    expect(code).toBe(0)
    const { stderr } = await minions.here(given)
    expect(stderr).toMatch(/VALIDATION_FAILED: .*"year" is required/)
  })
})

describe('--edit', () => {
  const editor = (script: string) => ({ env: { EDITOR: `sed -i ${script}` } })

  it('writes a new minion and changes one in $EDITOR', async () => {
    const minions = new Minions()
    const write = `-e 's/title: .*/title: Written/' -e 's/content: ""/content: In an editor/'`
    expect((await minions.here(['create', 'note', '--edit'], editor(write))).code).toBe(0)
    expect(await minions.json(['get', 'Written'])).toMatchObject({ fields: { content: 'In an editor' } })
    expect((await minions.here(['update', 'Written', '--edit'], editor(`'s/Written/Rewritten/'`))).code).toBe(0)
    expect(await minions.json(['get', 'Rewritten'])).toMatchObject({ fields: { content: 'In an editor' } })
  })

  it('changes nothing when nothing was changed', async () => {
    const minions = new Minions()
    const { id, updatedAt } = await minions.json(['create', 'note', '--title', 'A', '--content', 'x'])
    const { stderr } = await minions.here(['update', id, '--edit'], { env: { EDITOR: 'true' } })
    expect(stderr).toBe('Nothing was changed.\n')
    expect(await minions.json(['get', id])).toMatchObject({ updatedAt })
  })

  it('writes a prompt and a version of one, from the latest and with its settings', async () => {
    const minions = new Minions()
    const on = async (script: string, ...args: string[]) => {
      const outcome = await minions.here(['prompts', ...args, '--edit'], editor(script))
      expect(outcome).toMatchObject({ code: 0 })
      return outcome
    }
    await on(`'s/^/Hello {{name}}/'`, 'new', '--title', 'Greeting', '--settings', '{"temperature":0}')
    expect(await minions.json(['prompts', 'show', 'greeting'])).toMatchObject({
      fields: { content: 'Hello {{name}}', settings: { temperature: 0 } },
    })
    await on(`'s/Hello/Good day,/'`, 'version', 'greeting', '--changelog', 'More formal')
    await on(`'s/day/evening/'`, 'version', 'greeting')
    expect(await minions.json(['prompts', 'show', 'greeting', '--version', '2'])).toMatchObject({
      fields: { content: 'Good evening, {{name}}', settings: { temperature: 0 } },
    })
    const { stderr } = await minions.here(['prompts', 'version', 'greeting', '--edit'], { env: { EDITOR: 'true' } })
    expect(stderr).toBe('Nothing was changed.\n')

    const messages = ['--messages', '[{"role":"system","content":"Be kind."},{"placeholder":"history"}]']
    await minions.json(['prompts', 'new', '--title', 'Chat', ...messages])
    await on(`'s/kind/brief/'`, 'version', 'chat')
    expect(await minions.json(['prompts', 'show', 'chat', '--version', '1'])).toMatchObject({
      fields: { messages: [{ role: 'system', content: 'Be brief.' }, { placeholder: 'history' }] },
    })
  })

  it('keeps what cannot be used, and says where', async () => {
    const minions = new Minions()
    const { code, stderr } = await minions.here(['create', 'note', '--edit'], editor(`'s/title: .*/title: [/'`))
    expect(code).toBe(1)
    const [, file = ''] = /^Your text is kept in (.+)$/m.exec(stderr) ?? []
    expect(readFileSync(file, 'utf8')).toContain('title: [')
    expect((await minions.here(['create', 'note', '--edit'], { env: { EDITOR: 'false' } })).stderr).toMatch(
      /EDITOR_FAILED/,
    )
  })
})

describe('messages', () => {
  it.each([
    ['year=abc', 'minions: VALIDATION_FAILED: year must be a number, not "abc".\n'],
    ['isRead=perhaps', 'minions: VALIDATION_FAILED: isRead must be true or false, not "perhaps".\n'],
  ])('--field %s is refused in the words of the field', async (field, message) => {
    const minions = new Minions()
    await minions.json([...book, '--field', 'isRead:boolean'])
    const { stderr } = await minions.here(['create', 'book', '--title', 'T', '--field', field])
    expect(stderr).toBe(message)
  })

  it('a type, a subcommand and a variable that are misspelt are guessed, and those there are listed', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'new', '--title', 'Hi', '--content', 'Hi {{name}}'])
    expect((await minions.here(['create', 'taks', '--title', 'T'])).stderr).toMatch(
      /did you mean "task"\? There are note, /,
    )
    expect((await minions.here(['list', '--type', 'zzz'])).stderr).toMatch(/no type "zzz"; there are note, /)
    expect((await minions.here(['types', 'lst'])).stderr).toMatch(/did you mean list\? There are list, show, create/)
    expect((await minions.here(['types', 'frobnicate'])).stderr).toMatch(/; there are list, show, create, evolve/)
    const missing = await minions.here(['prompts', 'render', 'Hi', '--var', 'nmae=Ada'])
    expect(missing.stderr).toMatch(/Add --var name=…, or --no-strict.* "nmae" was given; did you mean "name"\?/)
    expect(missing.stderr).not.toContain('strict: false')
    await minions.json(['prompts', 'new', '--title', 'Two', '--content', '{{name}} {{age}}'])
    const right = await minions.here(['prompts', 'render', 'Two', '--var', 'age=3'])
    expect(right.stderr).toMatch(/Add --var name=…, or --no-strict to leave placeholders as they are\.\n$/)
    expect((await minions.here(['prompts', 'show', 'Tow'])).stderr).toMatch(/NOT_FOUND: .*; did you mean "two"\?/)
    const extra = await minions.here(['prompts', 'render', 'Hi', '--var', 'name=Ada', '--var', 'mood=good'])
    expect(extra).toMatchObject({
      code: 0,
      stdout: 'Hi Ada\n',
      stderr: 'The prompt has no variable "mood"; it has name.\n',
    })
  })

  it('demo, a second time into one folder, says what to do', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('there'))
    writeFileSync(minions.path('there', 'minions.db'), '')
    const { code, stderr } = await minions.here(['demo', './there'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/The folder \.\/there already exists; list its contents with: .* list --all --storage/)
    mkdirSync(minions.path('empty'))
    expect((await minions.here(['demo', './empty'])).stderr).toMatch(
      /already exists; name a folder that does not exist\./,
    )
  })
})

describe('types list', () => {
  it('has one row for a slug, which says whose it took over', async () => {
    const { stdout } = await new Minions().here(['types', 'list'])
    const rows = stdout.split('\n').filter((line) => line.startsWith('prompt-template '))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatch(/minions-prompts\/prompt-template +builtin-prompt-template$/)
  })
})

describe('list', () => {
  it('leaves out what missions and tests made, unless it is asked for', async () => {
    const minions = new Minions()
    const storage = ['--storage', `sqlite:${minions.path('minions.db')}`]
    await minions.json(['colony', 'run', '--example', ...storage])
    await minions.json(['create', 'note', '--title', 'Mine', '--content', 'x'])
    const { id } = await minions.json(['prompts', 'new', '--title', 'Hi', '--content', 'Hi'])
    await minions.json(['prompts', 'test', id, '--add', '--input', '{}', '--contains', 'Hi'])
    await minions.json(['prompts', 'test', id])
    const titles = (rows: { title: string }[]) => rows.map(({ title }) => title)
    const all = titles(await minions.json(['list', '--all']))
    expect(all).toContain('Colony: worker')
    const results = await minions.json(['list', '--type', 'prompt-result'])
    expect(results).toHaveLength(1)
    expect((await minions.json(['list'])).map((row: { id: string }) => row.id)).not.toContain(results[0].id)
    expect(titles(await minions.json(['list'])).filter((title) => title.startsWith('Colony:'))).toEqual([])
    expect(titles(await minions.json(['list']))).toEqual(expect.arrayContaining(['Mine', 'Hi']))
    expect(titles(await minions.json(['list', '--type', 'prompt-template']))).toContain('Colony: worker')
  })
})

describe('copy and import', () => {
  it('leave out collections that are empty', async () => {
    const minions = new Minions()
    await minions.json(['create', 'note', '--title', 'A', '--content', 'x'])
    const from = `sqlite:${minions.path('minions.db')}`
    const copied = await minions.here(['copy', '--from', from, '--to', `sqlite:${minions.path('b.db')}`])
    expect(copied.stdout).toMatch(/^minions +1 /m)
    expect(copied.stdout).not.toMatch(/^relations/m)
    await minions.here(['export', '--output', 'all.jsonl'])
    const again = await minions.here(['import', 'all.jsonl'])
    expect(again).toMatchObject({ code: 0, stdout: 'All records already existed.\n' })
  })

  it('say at a terminal how far they are, of how much', async () => {
    const minions = new Minions()
    await minions.json(['create', 'note', '--title', 'A', '--content', 'x'])
    const from = `sqlite:${minions.path('minions.db')}`
    const { stdout } = await minions.atTerminal(['copy', '--from', from, '--to', `sqlite:${minions.path('b.db')}`], [])
    expect(stdout).toMatch(/copying minions: 1 of 1/)
  })
})

describe('init', () => {
  it('writes a configuration that commands in the folder use, and keeps the store out of git', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('crm', '.git'), { recursive: true })
    const created = await minions.json(['init', 'crm'])
    expect(created).toMatchObject({ storage: 'sqlite:./minions.db', ignored: 'minions.db*' })
    expect(readFileSync(minions.path('crm', '.gitignore'), 'utf8')).toBe('minions.db*\n')
    await minions.json(['create', 'note', '--title', 'Here', '--content', 'x'], { cwd: minions.path('crm') })
    expect(existsSync(minions.path('crm', 'minions.db'))).toBe(true)
    const again = await minions.here(['init', 'crm'])
    expect(again.stderr).toMatch(/FILE_UNWRITABLE: crm\/minions\.config\.json already exists/)
  })

  it('refuses a URL that cannot be opened later', async () => {
    const minions = new Minions()
    expect((await minions.here(['init', '--storage', 'nosuch://x'])).stderr).toMatch(/UNKNOWN_SCHEME/)
    expect(existsSync(minions.path('minions.config.json'))).toBe(false)
  })
})
