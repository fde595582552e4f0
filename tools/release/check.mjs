// @ts-check
// All that a release does, short of publishing: `npm run release:check`. The versions are raised in a copy of the
// repository, and what is built, packed and tried is that copy.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execPath } from 'node:process'
import { repositoryFiles } from '../copy-repository.mjs'
import { pack } from '../pack.mjs'
import { listFiles, listPackages, readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { audit, auditProblems, readExplanations } from './audit.mjs'
import { localPathsIn, secretsIn } from './leaks.mjs'
import { licenceProblems } from './licences.mjs'
import { scratchCopy } from './scratch-copy.mjs'
import { packageSize, readLimits, sizeProblems } from './size.mjs'
import { describeReleases, versionProblems } from './versions.mjs'

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'minions-release-')))
const copy = join(scratch, 'repository')
const changeset = join(root, 'node_modules/.bin/changeset')
/** @type {string[]} */
const problems = []

try {
  step('licences', licenceProblems())
  step(
    'secrets',
    repositoryFiles().flatMap((file) => secretsIn(file, readFileSync(join(root, file), 'utf8'))),
  )
  step('audit', auditStep())
  step('changesets', changesetStep())
  scratchCopy(copy)
  step('versions', run('changeset version', changeset, ['version'], copy))
  const built = step('build', run('build', 'npm', ['run', 'build'], copy))
  // Nothing below says anything about a package that was not built.
  if (built) {
    step('sizes', await sizeStep())
    step('tarballs', tarballStep())
    step('install and snippets', run('tarballs', execPath, ['tools/checks/tarballs.mjs'], copy))
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
reportProblems('release', problems, 'everything but publishing was done')

/** The packages of the copy, whose versions are raised. */
function published() {
  return listPackages(copy).filter(({ manifest }) => !manifest.private)
}

/** @param {string} name @param {string[]} found @returns {boolean} whether the step succeeded */
function step(name, found) {
  console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  problems.push(...found.map((problem) => `${name}: ${problem}`))
  return found.length === 0
}

function auditStep() {
  const answer = audit()
  if (answer === undefined) console.log('       the registry does not answer audits, so known holes were not looked up')
  return answer === undefined ? [] : auditProblems(answer, readExplanations())
}

function changesetStep() {
  const file = join(scratch, 'status.json')
  // Without the main branch the tool cannot tell what changed; the versions are raised all the same below.
  if (run('main', 'git', ['rev-parse', '--verify', 'main'], root).length > 0) {
    console.log('       there is no branch main here, so changes without a changeset were not looked for')
    return []
  }
  const failed = run('changeset status', changeset, ['status', `--output=${file}`], root)
  if (failed.length > 0) return failed
  const status = readJson(file)
  console.log(`       raised: ${describeReleases(status)}`)
  return versionProblems(status)
}

async function sizeStep() {
  /** @type {Record<string, number>} */
  const sizes = {}
  const limits = readLimits()
  for (const pkg of published()) {
    const size = await packageSize(pkg)
    sizes[pkg.name] = size
    console.log(`       ${pkg.name} ${size} of ${limits[pkg.name]} bytes`)
  }
  return sizeProblems(sizes, limits)
}

/** @returns {string[]} what the tarballs should not tell; `check:tarballs` judges the rest of them */
function tarballStep() {
  const packages = published()
  const tarballs = join(scratch, 'tarballs')
  mkdirSync(tarballs)
  const packed = pack(
    packages.map(({ folder }) => folder),
    tarballs,
  )
  const local = [root, scratch, join(homedir(), '/')]
  return packages.flatMap(({ name, folder }, index) => {
    const unpacked = join(scratch, 'unpacked', basename(folder))
    mkdirSync(unpacked, { recursive: true })
    const failed = run(name, 'tar', ['-xzf', String(packed[index]?.tarball), '-C', unpacked], unpacked)
    const leaks = listFiles(join(unpacked, 'package')).flatMap((file) => {
      const path = join(unpacked, 'package', file)
      if (!statSync(path).isFile()) return []
      const text = readFileSync(path, 'utf8')
      return [...secretsIn(`${name}/${file}`, text), ...localPathsIn(`${name}/${file}`, text, local)]
    })
    return [...failed, ...leaks]
  })
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 * @param {string} folder
 * @returns {string[]} what it printed, if it failed
 */
function run(what, command, args, folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? [] : [`${what}: ${error?.message ?? `${stdout}${stderr}`.trim()}`]
}
