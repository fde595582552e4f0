// @ts-check
// Builds the documentation site into site/dist, without a network: `npm run site`. The content is assembled from docs/, the
// READMEs of the packages and the API in their sources, so nothing is written twice.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv, execPath } from 'node:process'
import { listPackages, readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { apiReference } from './api.mjs'
import { llmsText, pageText, sitePages } from './pages.mjs'
import { canVisit, visitSite } from './visit.mjs'

const site = join(root, 'site')
const content = join(site, '.content')
const packages = listPackages().filter(({ manifest }) => !manifest.private)
const repository = readJson(join(root, 'package.json')).repository.url.replace(/^git\+|\.git$/g, '')

rmSync(content, { recursive: true, force: true })
const pages = sitePages(packages)
/** @type {string[]} */
const problems = []
const written = pages.map((page) => {
  const text = readFileSync(join(root, page.source), 'utf8')
  try {
    write(page.page, pageText(page, text, { pages, repository, kindOf }))
  } catch (error) {
    problems.push(/** @type {Error} */ (error).message)
  }
  return { page: page.page, text }
})
write('public/llms.txt', llmsText(written))
write('public/llms-full.txt', written.map(({ page, text }) => `<!-- ${page} -->\n\n${text}`).join('\n\n'))
write('navigation.json', JSON.stringify(navigation(), null, 2))

const hasApi = !argv.includes('--without-api')
if (problems.length === 0 && hasApi) problems.push(...apiReference(packages, join(content, 'api')))
if (problems.length === 0) problems.push(...build())
if (problems.length === 0 && canVisit) problems.push(...(await visitSite(join(site, 'dist'))))
const api = hasApi ? `the API of ${packages.length} packages` : 'without the API'
const visited = canVisit
  ? 'the playground runs in Chromium'
  : 'the playground was not run, because there is no Chromium'
reportProblems('site', problems, `${pages.length} pages, ${api}, no dead link; ${visited}`)

/** What a path is in the repository; undefined if it does not exist. @param {string} path */
function kindOf(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  return found && (found.isDirectory() ? 'tree' : 'blob')
}

/** What the sidebar shows of the generated pages. */
function navigation() {
  return {
    repository,
    packages: pages
      .filter(({ page }) => page.startsWith('packages/'))
      .map(({ page }) => ({ text: page.slice('packages/'.length, -'.md'.length), link: `/${page}` })),
  }
}

/** @returns {string[]} */
function build() {
  const command = join(root, 'node_modules/vitepress/bin/vitepress.js')
  const { status, stdout, stderr } = spawnSync(execPath, [command, 'build', site], { cwd: site, encoding: 'utf8' })
  if (status !== 0) return [`vitepress failed:\n${stdout}${stderr}`]
  // Beside each page its Markdown, which llms.txt lists.
  for (const { page, text } of written) writeFileSync(join(site, 'dist', page), text)
  const missing = ['index.html', 'llms.txt', 'playground.html', 'packages/core.html', 'guide/one-package.html'].filter(
    (file) => !existsSync(join(site, 'dist', file)),
  )
  return missing.map((file) => `${file} was not built`)
}

/** @param {string} page @param {string} text */
function write(page, text) {
  const file = join(content, page)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
