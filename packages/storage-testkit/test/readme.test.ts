import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clientCases, storageCases } from '../src/index.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

it('the README names every group of cases', () => {
  const readme = read('../README.md')
  for (const { group } of [...storageCases, ...clientCases]) expect(readme).toContain(`**${group}**`)
})

it('every case has a name of its own', () => {
  for (const cases of [storageCases, clientCases]) {
    const names = cases.map(({ name }) => name)
    expect(names).toHaveLength(new Set(names).size)
  }
})
