// @ts-check
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readJson, root } from '../packages.mjs'

/**
 * @typedef {{ severity: string, via: (string | { url: string, title: string })[] }} Vulnerability
 * @typedef {{ vulnerabilities?: Record<string, Vulnerability>, message?: string }} Audit as `npm audit --json` prints it
 */

/**
 * Asks the registry about known holes in production dependencies.
 *
 * @returns {Audit | undefined} undefined when the registry does not answer such questions
 */
export function audit() {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  })
  try {
    const answer = JSON.parse(stdout)
    return answer.vulnerabilities === undefined ? undefined : answer
  } catch {
    return undefined
  }
}

/**
 * The serious findings that nobody has explained. Those of a package that is only affected through another are told there.
 *
 * @param {Audit} answer
 * @param {Record<string, string>} explained why a finding does not matter here, by the address of its advisory
 * @returns {string[]}
 */
export function auditProblems({ vulnerabilities = {} }, explained) {
  return Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .flatMap(([name, { severity, via }]) =>
      via
        .filter((cause) => typeof cause === 'object')
        .filter(({ url }) => !Object.hasOwn(explained, url))
        .map(({ url, title }) => `${name} has a ${severity} finding: ${title} (${url})`),
    )
}

/** @returns {Record<string, string>} */
export const readExplanations = () => readJson(join(dirname(fileURLToPath(import.meta.url)), 'audit-explained.json'))
