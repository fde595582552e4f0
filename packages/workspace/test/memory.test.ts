import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendHistory, readMemory, upsertMemorySection, writeMemory } from '../src/index.js'
import { upsertSection } from '../src/memory/section.js'
import { temporaryDirectory } from './temporary.js'

describe('history', () => {
  it('appends lines to whatever is there', async () => {
    const root = await temporaryDirectory()
    await appendHistory(root, 'first')
    await writeFile(join(root, 'memory/HISTORY.md'), '# History\n\n- half a li')
    await appendHistory(root, '  second\r\n  still second  ')
    expect(await readFile(join(root, 'memory/HISTORY.md'), 'utf8')).toBe(
      '# History\n\n- half a li\n- second still second\n',
    )
    for (const text of ['', ' \n ', undefined as never]) {
      await expect(appendHistory(root, text)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('rotates by size without deleting anything', async () => {
    const root = await temporaryDirectory()
    const clock = () => '2026-01-31T09:30:00.000Z'
    for (let index = 0; index < 10; index++) await appendHistory(root, `entry ${index}`, { maxBytes: 30, clock })
    const files = (await readdir(join(root, 'memory'))).sort()
    expect(files.slice(0, 2)).toEqual([
      'HISTORY-2026-01-31T09-30-00-000Z-1.md',
      'HISTORY-2026-01-31T09-30-00-000Z-2.md',
    ])
    const texts = await Promise.all(files.map((name) => readFile(join(root, 'memory', name), 'utf8')))
    expect(
      texts
        .join('')
        .match(/entry \d/g)
        ?.sort(),
    ).toEqual(Array.from({ length: 10 }, (_, i) => `entry ${i}`))
  })

  it('keeps the lines of many writers apart', async () => {
    const root = await temporaryDirectory()
    const texts = Array.from({ length: 100 }, (_, index) => `${index} ${'y'.repeat(5000)} ${index}`)
    await Promise.all(texts.map((text) => appendHistory(root, text, { maxBytes: 100_000 })))
    const files = await readdir(join(root, 'memory'))
    const all = await Promise.all(files.map((name) => readFile(join(root, 'memory', name), 'utf8')))
    const lines = all.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('- '))
    expect(lines.sort()).toEqual(texts.map((text) => `- ${text}`).sort())
  })
})

describe('memory', () => {
  it('is read and written as a whole', async () => {
    const root = await temporaryDirectory()
    expect(await readMemory(root)).toBe('')
    await writeMemory(root, '# Größe ☃\n')
    expect(await readMemory(root)).toBe('# Größe ☃\n')
    await expect(writeMemory(root, null as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await readdir(join(root, 'memory'))).toEqual(['MEMORY.md'])
  })

  it.each([
    ['', '## Facts\n- a\n- b\n'],
    ['# Memory', '# Memory\n\n## Facts\n- a\n- b\n'],
    ['# Memory\n', '# Memory\n\n## Facts\n- a\n- b\n'],
    ['# Memory\n\n', '# Memory\n\n## Facts\n- a\n- b\n'],
    ['# Facts\nintro\n', '# Facts\nintro\n\n## Facts\n- a\n- b\n'],
    ['## Facts', '## Facts\n- a\n- b\n'],
    ['## Facts\n\n## Next\n', '## Facts\n- a\n- b\n\n## Next\n'],
    ['## Facts ##\nold\n\n- old\n\n\n### Sub\nkept', '## Facts ##\n- a\n- b\n\n\n### Sub\nkept'],
    ['x\r\n## Facts\r\n- old\r\n## Next\r\n', 'x\r\n## Facts\r\n- a\r\n- b\r\n## Next\r\n'],
    ['```\n## Facts\n```\n', '```\n## Facts\n```\n\n## Facts\n- a\n- b\n'],
    ['## Facts\n```\n# code\n```\n## Next', '## Facts\n- a\n- b\n## Next'],
    ['## Facts\nold\n\nTitle\n=====\nkept\n', '## Facts\n- a\n- b\n\nTitle\n=====\nkept\n'],
    ['## Facts\n- old\n\n---\n\n## Next', '## Facts\n- a\n- b\n\n## Next'],
    ['## Factsheet\nx\n', '## Factsheet\nx\n\n## Facts\n- a\n- b\n'],
  ])('sets the section in %j', (before, after) => {
    expect(upsertSection(before, 'Facts', ['a', 'b'])).toBe(after)
    expect(upsertSection(after, 'Facts', ['a', 'b'])).toBe(after)
  })

  it('keeps every byte outside the section, whatever its encoding', async () => {
    const root = await temporaryDirectory()
    await mkdir(join(root, 'memory'))
    const before = Buffer.concat([
      Buffer.from('\uFEFF# M\r\n\xff'),
      Buffer.from([0xff, 0xc3, 0x00]),
      Buffer.from('\n## Größe\n- old\n\n'),
    ])
    const after = Buffer.concat([Buffer.from('# Next\n'), Buffer.from([0x80, 0xfe])])
    await writeFile(join(root, 'memory/MEMORY.md'), Buffer.concat([before, after]))
    await upsertMemorySection(root, '## Größe', ['ein\n Schnee☃', '', ' zwei '])
    const written = await readFile(join(root, 'memory/MEMORY.md'))
    const expected = before.toString('latin1').replace('- old\n', '')
    expect(written.toString('latin1')).toBe(
      expected.slice(0, -1) +
        Buffer.from('- ein Schnee☃\r\n- zwei\r\n\n').toString('latin1') +
        after.toString('latin1'),
    )
  })

  it('leaves other sections alone, whatever they hold', () => {
    const body = fc.array(fc.constantFrom('text', '- item', '', '  indented', '> quote', '1. one'), { maxLength: 6 })
    fc.assert(
      fc.property(
        body,
        body,
        body,
        fc.array(fc.constantFrom('a', '# b', '```', '- c')),
        (first, second, third, bullets) => {
          const [a, c] = [['# Top', ...first, ''].join('\n'), ['## After', ...third].join('\n')]
          const updated = upsertSection(`${a}\n## Facts\n${second.join('\n')}\n${c}`, 'Facts', bullets)
          expect(updated.startsWith(`${a}\n## Facts\n`)).toBe(true)
          expect(updated.endsWith(c)).toBe(true)
          const middle = updated
            .slice(a.length + 1, -c.length)
            .split('\n')
            .filter((line) => line.trim() !== '')
          expect(middle).toEqual(['## Facts', ...bullets.map((bullet) => `- ${bullet}`)])
        },
      ),
      { numRuns: 200, seed: 5 },
    )
  })

  it('takes long lines without long thought', async () => {
    const blank = ' '.repeat(200_000)
    expect(upsertSection(`## a${blank}x\n#${blank}x\n${'# '.repeat(100_000)}x\n`, 'Facts', ['a'])).toContain('Facts')
    const root = await temporaryDirectory()
    await appendHistory(root, `a${blank}b`)
    await upsertMemorySection(root, 'Facts', [`a${blank}b`])
  })

  it('keeps the sections of many writers', async () => {
    const root = await temporaryDirectory()
    const names = Array.from({ length: 8 }, (_, index) => `Section ${index}`)
    await Promise.all(names.map((name) => upsertMemorySection(root, name, [name])))
    const text = await readMemory(root)
    for (const name of names) expect(text).toContain(`## ${name}\n- ${name}\n`)
  })

  it.each(['', ' ', 'a\nb', '## ', 5])('refuses the heading %j', async (heading) => {
    const root = await temporaryDirectory()
    await expect(upsertMemorySection(root, heading as string, [])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})
