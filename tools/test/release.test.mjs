// @ts-check
import { describe, expect, it } from 'vitest'
import { coverageTable } from '../coverage/table.mjs'
import { auditProblems } from '../release/audit.mjs'
import { localPathsIn, secretsIn } from '../release/leaks.mjs'
import { isPermissive, licenceList } from '../release/licences.mjs'
import { sizeProblems } from '../release/size.mjs'
import { describeReleases, versionProblems } from '../release/versions.mjs'

describe('secrets', () => {
  // Put together here, so that this file contains none.
  const planted = [
    `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
    `ghp${'_'}${'a1B2'.repeat(9)}`,
    `npm${'_'}${'a1B2'.repeat(9)}`,
    `//registry.example/:_auth${'Token'}=abc`,
    `AKIA${'A1B2'.repeat(4)}`,
    `xoxb${'-'}${'1234567890'.repeat(2)}`,
    `sk-ant${'-'}${'a1B2'.repeat(10)}`,
  ]

  it.each(planted)('are found: %s', (secret) => {
    expect(secretsIn('a.js', `const key = '${secret}'`)).toHaveLength(1)
  })

  it('are found by the name of their file', () => {
    for (const file of ['.env', 'a/.env.local', 'deploy.pem', 'keys/id_rsa'])
      expect(secretsIn(file, '')).toHaveLength(1)
  })

  it('are not seen where there are none', () => {
    const text = `//registry.example/:_auth${'Token'}=\${NPM_TOKEN} postgres://user:password@localhost ask-me-about-it`
    expect(secretsIn('src/environment.ts', text)).toEqual([])
  })
})

it('local paths are found, and others are not', () => {
  expect(localPathsIn('a', 'see /srv/build/minions/src', ['/srv/build/minions'])).toHaveLength(1)
  for (const path of ['/home/me/x', '/Users/me/x', 'C:\\Users\\me\\x', 'file:///srv/x']) {
    expect(localPathsIn('a', path, []), path).toHaveLength(1)
  }
  expect(localPathsIn('a', '../src/index.ts /tmp/x /usr/bin/env https://example.com/home', ['/srv'])).toEqual([])
})

it('licences are permissive when one alternative is', () => {
  for (const licence of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'Apache-2.0'])
    expect(isPermissive(licence)).toBe(true)
  for (const licence of ['GPL-3.0', 'unknown', 'MIT AND GPL-2.0', 'AGPL-3.0-only OR SSPL-1.0', '']) {
    expect(isPermissive(licence), licence).toBe(false)
  }
  expect(licenceList([{ name: 'a', version: '1.0.0', licence: 'MIT', usedBy: new Set(['z', 'b']) }])).toContain(
    '| a | 1.0.0 | MIT | b, z |',
  )
})

it('sizes are held to their limits, and limits to packages', () => {
  expect(sizeProblems({ a: 10 }, { a: 10 })).toEqual([])
  expect(sizeProblems({ a: 11 }, { a: 10 })).toEqual(['a is 11 bytes, 1 more than its limit of 10'])
  expect(sizeProblems({ a: 1 }, {})).toHaveLength(1)
  expect(sizeProblems({}, { a: 1 })).toHaveLength(1)
})

describe('versions', () => {
  const release = { name: 'a', type: 'major', oldVersion: '0.1.0', newVersion: '1.0.0', changesets: [] }

  it('a major version must be asked for', () => {
    expect(versionProblems({ changesets: [], releases: [release] })).toHaveLength(1)
    const changeset = { id: 'x', summary: 'Stable.', releases: [{ name: 'a', type: 'major' }] }
    expect(versionProblems({ changesets: [changeset], releases: [release] })).toEqual([])
    expect(describeReleases({ changesets: [], releases: [release] })).toBe('a 0.1.0 → 1.0.0')
  })

  it('a changeset must say something', () => {
    expect(versionProblems({ changesets: [{ id: 'x', summary: ' ', releases: [] }], releases: [] })).toHaveLength(1)
  })
})

it('serious findings of an audit must be explained', () => {
  const via = [{ url: 'https://example.com/1', title: 'Bad' }]
  const answer = {
    vulnerabilities: { a: { severity: 'high', via }, b: { severity: 'low', via }, c: { severity: 'high', via: ['a'] } },
  }
  expect(auditProblems(answer, {})).toEqual(['a has a high finding: Bad (https://example.com/1)'])
  expect(auditProblems(answer, { 'https://example.com/1': 'never called' })).toEqual([])
})

it('coverage is told for each package, the least covered first', () => {
  const share = (/** @type {number} */ pct) => ({ covered: pct, total: 100, pct })
  const total = (/** @type {number} */ pct) => ({ lines: share(pct), branches: share(pct), functions: share(pct) })
  const table = coverageTable([
    { name: 'a', total: total(90) },
    { name: 'b', total: total(80) },
  ])
  expect(table.split('\n').slice(2)).toEqual([
    '| b | 80.0 % | 80.0 % | 80.0 % | 100 |',
    '| a | 90.0 % | 90.0 % | 90.0 % | 100 |',
  ])
})
