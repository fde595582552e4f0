import { createHash } from 'node:crypto'

/** Longest name of a skill. */
const LONGEST = 50

/**
 * Name of the skill of a tool: that of its server, then its own. A server cannot choose a name outside its own, whatever it
 * calls its tools. One that is too long ends with a part of its hash.
 */
function skillName(server: string, tool: string): string {
  const own = tool.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
  const name = `${server}-${own === '' ? hashOf(tool) : own}`
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 9)}-${hashOf(tool)}`
}

/** Names of the skills of all tools of a server; of tools whose names differ only in punctuation, all but the first get a hash. */
export function skillNames(server: string, tools: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    tools.toSorted().map((tool) => {
      const plain = skillName(server, tool)
      const name = taken.has(plain) ? `${plain.slice(0, LONGEST - 9)}-${hashOf(tool)}` : plain
      taken.add(name)
      return [tool, name]
    }),
  )
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
