// @ts-check
import { basename, dirname, join, posix } from 'node:path'
import { listFiles, root } from '../packages.mjs'

/** @import { Package } from '../packages.mjs' */
/** @typedef {{ source: string, page: string }} Page `source` is relative to the repository, `page` to the site */

/** Documents of the repository that the site has too. */
const PROJECT = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md']

/**
 * What the site consists of: the guides, the README of each package, and what the repository says of itself.
 *
 * @param {Package[]} packages
 * @returns {Page[]}
 */
export function sitePages(packages) {
  return [
    ...listFiles(join(root, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => ({ source: `docs/${file}`, page: file.replace(/README\.md$/, 'index.md') })),
    ...packages
      .filter(({ manifest }) => !manifest.private)
      .map(({ path }) => ({ source: `${path}/README.md`, page: `packages/${basename(path)}.md` })),
    ...PROJECT.map((source) => ({ source, page: `project/${source.toLowerCase().replaceAll('_', '-')}` })),
  ]
}

/**
 * The text of a page. Links between documents stay inside the site, those to other files lead to the repository, and what
 * looks like HTML or an expression is text. Throws for a link to a file that does not exist.
 *
 * @param {Page} current
 * @param {string} text
 * @param {{ pages: Page[], repository: string, kindOf(path: string): 'tree' | 'blob' | undefined }} site
 */
export function pageText(current, text, { pages, repository, kindOf }) {
  const byTarget = new Map(
    pages.flatMap(({ source, page }) => [
      [source, page],
      ...(source.endsWith('/README.md') ? [/** @type {[string, string]} */ ([dirname(source), page])] : []),
    ]),
  )
  byTarget.set('README.md', 'index.md')
  /** @param {string} link */
  const relinked = (link) => {
    if (/^(?:[a-z]+:|#)/i.test(link)) return link
    const [path = '', heading] = link.split('#')
    const target = posix.normalize(posix.join(posix.dirname(current.source), path)).replace(/\/$/, '')
    const page = byTarget.get(target)
    const anchor = heading === undefined ? '' : `#${heading}`
    if (page === undefined) {
      const kind = kindOf(target)
      if (kind === undefined) throw new Error(`${current.source} links to ${link}, which does not exist`)
      return `${repository}/${kind}/main/${target}${anchor}`
    }
    return `${posix.relative(posix.dirname(current.page), page) || basename(page)}${anchor}`
  }
  return outsideCode(text, (prose) =>
    escapeProse(prose.replace(/\]\(([^)\s]+)\)/g, (_, /** @type {string} */ link) => `](${relinked(link)})`)),
  )
}

/** Changes a text except in code blocks and code spans. @param {string} text @param {(prose: string) => string} change */
function outsideCode(text, change) {
  return text
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part) => (part.startsWith('`') ? part : change(part)))
    .join('')
}

/** @param {string} prose */
function escapeProse(prose) {
  return prose
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(?!\/?(?:ClientOnly|CodePlayground)\b)(?=[a-zA-Z/])/g, '&lt;')
    .replaceAll('{{', '&#123;&#123;')
}

/**
 * The page in a form that a language model reads: every page with its first sentence.
 *
 * @param {{ page: string, text: string }[]} pages
 */
export function llmsText(pages) {
  const lines = pages.map(({ page, text }) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? page
    const sentence =
      /^# .+\n+([^#\n|`>!][^\n]*(?:\n[^\n#|`]+)*?\.)(?:\s|$)/m.exec(text)?.[1]?.replace(/\s+/g, ' ') ?? ''
    return `- [${title}](${page})${sentence === '' ? '' : `: ${sentence}`}`
  })
  return `# Minions

> One typed object graph for AI agents: objects, prompts, workspaces, missions and skills, as small npm packages.

Every page is also here as Markdown, under the address that this list gives. \`llms-full.txt\` has all of them in one file.

${lines.join('\n')}
`
}
