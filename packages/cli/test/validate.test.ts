import { readFileSync, writeFileSync } from 'node:fs'
import { artifactExamples } from '@minions/colony-contracts'
import { describe, expect, it } from 'vitest'
import { filled, Minions } from './support/minions.js'

const NOW = '2026-04-14T12:00:00Z'
const skill = { name: 'navigate', version: '1.0.0', parameters_schema: { type: 'object' } }
const subagent = { agent_id: 'a1', state: 'idle', results: {}, created_at: NOW }
const message = { message_type: 'event', sender_id: 'a1', topic: 't', payload: {} }
const execution = {
  execution_id: 'e1',
  agent_id: 'a1',
  skill_name: 'navigate',
  skill_version: '1.0.0',
  parameters: {},
  status: 'pending',
  retry_count: 0,
}
const type = { id: 'book', name: 'Book', slug: 'book', schema: [{ name: 'author', type: 'string' }] }
const relation = { id: 'r1', sourceId: 'a', targetId: 'b', type: 'relates_to', createdAt: NOW }
const workspace = { id: 'w1', name: 'W', nodes: { n1: { name: 'N' } }, rules: { r1: { name: 'R' } } }

/** What `validate` says of a value. */
async function verdict(minions: Minions, value: unknown, ...more: string[]) {
  const outcome = await minions.here(['validate', '-', '--json', ...more], { input: JSON.stringify(value) })
  const { valid, kinds, errors } = JSON.parse(outcome.stdout)
  expect(outcome.code).toBe(valid ? 0 : 1)
  const found = errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
  return { kinds, errors: found as string[] }
}

describe('validate', () => {
  it.each<[string, object, object, string[]]>([
    [
      'artifact',
      artifactExamples.worker_result,
      { confidence: 7, producer: '' },
      ['/producer LENGTH', '/confidence RANGE'],
    ],
    ['skill', skill, { version: 'x', timeout: 0 }, ['/version PATTERN', '/timeout MIN']],
    ['subagent', subagent, { state: 'asleep', agent_id: '' }, ['/agent_id PATTERN', '/state ENUM']],
    ['message', message, { topic: undefined, ttl: 0 }, ['/ttl MIN', '/topic REQUIRED']],
    ['execution', execution, { status: 'success' }, ['/result REQUIRED']],
    [
      'type',
      type,
      { slug: 'Book', schema: [{ name: '', type: 'x' }] },
      ['/slug pattern', '/schema/0/name minLength', '/schema/0/type enum'],
    ],
    ['relation', relation, { type: 'likes', id: '..' }, ['/id pattern', '/type enum']],
    [
      'workspace',
      workspace,
      { name: 5, nodes: { n1: { name: 5 } }, rules: { r1: 7 } },
      ['/nodes/n1/name type', '/rules/r1 TYPE', '/name type'],
    ],
  ])('knows the kind %s and lists all that is wrong', async (kind, good, changes, expected) => {
    const minions = new Minions()
    expect(await verdict(minions, good)).toEqual({ kinds: [kind], errors: [] })
    const bad = await verdict(minions, { ...good, ...changes })
    expect(bad.kinds).toEqual([kind])
    expect(bad.errors.sort()).toEqual([...expected].sort())
    expect(await verdict(minions, good, '--kind', kind)).toEqual({ kinds: [kind], errors: [] })
  })

  it('checks missions as a whole, lists one by one, and a file of workspaces by id', async () => {
    const minions = new Minions()
    const { mission_envelope, worker_result } = artifactExamples
    const mission = await verdict(minions, [mission_envelope, worker_result])
    expect(mission).toEqual({ kinds: ['artifact'], errors: ['/1/task_id UNKNOWN_TASK'] })
    const list = await verdict(minions, [skill, { ...message, ttl: 0 }, relation])
    expect(list).toEqual({ kinds: ['skill', 'message', 'relation'], errors: ['/1/ttl MIN'] })
    const file = await verdict(minions, { w1: workspace, w2: workspace, w3: { ...workspace, id: 'w3', name: null } })
    expect(file).toEqual({ kinds: ['workspaces'], errors: ['/w2/id const', '/w3/name type'] })
  })

  it('checks a minion with the types of the store', async () => {
    const minions = await filled()
    const [note] = await minions.json(['list', '--limit', '1'])
    expect(await verdict(minions, note)).toEqual({ kinds: ['minion'], errors: [] })
    expect(await verdict(minions, { ...note, title: '', fields: { content: 5 } })).toEqual({
      kinds: ['minion'],
      errors: ['/title minLength', '/fields/content type'],
    })
    const book = { ...note, minionTypeId: 'book', fields: {} }
    expect((await verdict(minions, book)).errors).toEqual(['/minionTypeId UNKNOWN_TYPE'])
    writeFileSync(minions.path('book.json'), JSON.stringify(type))
    await minions.json(['types', 'create', '--definition', '@book.json'])
    expect((await verdict(minions, book)).errors).toEqual([])
    // Without any store the built-in types are known, and none is created.
    const elsewhere = new Minions()
    expect((await verdict(elsewhere, note)).errors).toEqual([])
    expect(await elsewhere.here(['list'])).toMatchObject({ code: 1 })
  })

  it('checks every line of a bundle, and what an import would be refused for', async () => {
    const minions = await filled()
    await minions.here(['export', '--output', 'bundle.jsonl'])
    const file = minions.path('bundle.jsonl')
    const check = async () => JSON.parse((await minions.here(['validate', 'bundle.jsonl', '--json'])).stdout)
    expect(await check()).toEqual({ valid: true, kinds: ['bundle'], errors: [] })
    const text = readFileSync(file, 'utf8')
    const lines = text.split('\n')
    const positions = lines.flatMap((line, index) => (line.includes('"collection":"minions"') ? [index] : []))
    const [first = 0, second = 0] = positions
    writeFileSync(
      file,
      lines
        .with(first, lines[first]?.replace('"title":"', '"title":5,"x":"') ?? '')
        .with(second, '{')
        .join('\n'),
    )
    expect((await check()).errors).toMatchObject([
      { line: first + 1, pointer: '/record/title', code: 'type' },
      { line: second + 1, pointer: '', code: 'INVALID_JSON' },
    ])
    writeFileSync(file, text.replace('"title":"A"', '"title":"Z"'))
    const changed = lines.findIndex((line) => line.includes('"title":"A"')) + 1
    expect((await check()).errors).toMatchObject([{ line: changed, pointer: '', code: 'INVALID_BUNDLE' }])
    const outcome = await minions.here(['validate', 'bundle.jsonl'])
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringMatching(/^line \d+ \/ INVALID_BUNDLE: .*checksum/) })
  })

  it('checks a prompt document', async () => {
    const minions = new Minions()
    await minions.json(['prompts', 'new', '--title', 'Greeting', '--content', 'Hello {{name}}!'])
    await minions.here(['prompts', 'export', 'Greeting', '--output', 'greeting.json'])
    const document = JSON.parse(readFileSync(minions.path('greeting.json'), 'utf8'))
    expect(await verdict(minions, document)).toEqual({ kinds: ['prompt'], errors: [] })
    const broken = { ...document, prompt: { ...document.prompt, title: '' }, relations: [{ ...relation, type: 'x' }] }
    expect((await verdict(minions, broken)).errors).toEqual(['/prompt/title minLength', '/relations/0/type enum'])
    expect((await verdict(minions, { ...document, version: 9 })).errors).toEqual(['/version const'])
  })

  it('finds something wrong with anything that is not of the kind, and never breaks', async () => {
    const minions = new Minions()
    const kinds = 'bundle prompt artifact skill execution message subagent relation minion type workspace workspaces'
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const texts = ['null', '5', '"x"', '[[]]', '{"id":null}', `{"id":${deep},"nodes":${deep},"prompt":{"x":${deep}}}`]
    for (const kind of kinds.split(' ')) {
      for (const input of texts) {
        const outcome = await minions.here(['validate', '-', '--kind', kind], { input })
        expect(outcome, `${kind} ${input.slice(0, 20)}`).toMatchObject({ code: 1, stderr: '' })
      }
    }
  })

  it('says what it cannot read or recognise', async () => {
    const minions = new Minions()
    const of = (input: string, ...more: string[]) => minions.here(['validate', '-', ...more], { input })
    expect(await of('{')).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\/ INVALID_JSON: /) })
    expect(await of('{"x":1}')).toMatchObject({ code: 1, stderr: expect.stringMatching(/UNKNOWN_DOCUMENT.*--kind/) })
    expect(await of('{"x":1}', '--kind', 'nonsense')).toMatchObject({ code: 2 })
    expect(await of('5', '--kind', 'skill')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('must be an object'),
    })
    expect(await of(JSON.stringify(skill))).toMatchObject({ code: 0, stdout: '- is valid: a skill.\n' })
    expect(await minions.here(['validate', 'missing.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('FILE_UNREADABLE'),
    })
  })
})
