// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles, root } from '../packages.mjs'

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')

it('every promise names a test, and every test of a promise is named', () => {
  const [, promises = ''] = /^## What is promised$([\s\S]*?)^## /m.exec(text) ?? []
  const rows = promises.split('\n').filter((line) => /^\| (?!promise)/.test(line))
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) expect(row).toMatch(/\]\([\w/.-]+\.test\.(?:mjs|ts)\)/)
  const tests = listFiles(join(root, 'tools/test/security')).filter((file) => file.endsWith('.test.mjs'))
  for (const file of tests) expect(promises).toContain(`(tools/test/security/${file})`)
})
