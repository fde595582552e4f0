import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../bin/create-minions-storage.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'minions-create-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('starts a backend whose package has the name that its URLs are found by', () => {
  const { status, stdout } = spawnSync(process.execPath, [bin, 'shelf'], { cwd: folder, encoding: 'utf8' })
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('minions-storage-shelf') })
  expect(JSON.parse(readFileSync(join(folder, 'shelf/package.json'), 'utf8'))).toMatchObject({
    name: 'minions-storage-shelf',
  })
  expect(readFileSync(join(folder, 'shelf/src/index.ts'), 'utf8')).toContain('storageFromUrl')
})

test('says how it is used', () => {
  const { status, stderr } = spawnSync(process.execPath, [bin], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Usage: npm create minions-storage'),
  })
})
