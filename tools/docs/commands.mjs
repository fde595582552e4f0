// @ts-check

/** Provides the command: an install of the package, or a build of this repository. */
const PROVIDED = /npm (?:install|i) [^`\n]*@minions\/cli|npm start\b|npm run build\b/

/** Provides it on the `PATH`, so that it needs no `npx`. */
const GLOBAL = /npm (?:install|i) (?:--global|-g) [^`\n]*@minions\/cli/

/**
 * The lines of a document that run or name the command `minions` without its package. The package called plain `minions` on
 * npm is not ours, so a reader must know that `@minions/cli` provides it: a document installs it, or builds the repository,
 * before it runs `npx minions`, and one that only names a command such as `minions serve` names the package too. Generated
 * parts are left alone.
 *
 * @param {string} text
 * @returns {number[]}
 */
export function strangersCommands(text) {
  const lines = text
    .replace(/<!-- ([\w:.-]+) -->\n[\s\S]*?<!-- \/\1 -->/g, (part) => part.replace(/[^\n]/g, ' '))
    .split('\n')
  const namesPackage = text.includes('@minions/cli')
  let isCode = false
  return lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    const before = lines.slice(0, index).join('\n')
    const parts = isCode
      ? [line.replace(/^.*\$[ (]/, '').trim()]
      : [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code)
    const isWrong = parts.some((code = '') => {
      if (/^npx minions\b/.test(code)) return !PROVIDED.test(isCode ? before : text)
      if (!/^minions [a-z]/.test(code)) return false
      return isCode ? !GLOBAL.test(before) : !namesPackage
    })
    return isWrong ? [index + 1] : []
  })
}
