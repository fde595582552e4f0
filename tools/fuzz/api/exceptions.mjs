// @ts-check
/** @import { Finding } from './cases.mjs' */
/** @typedef {{ target: RegExp, kind: Finding['kind'] | readonly Finding['kind'][], value?: RegExp, position?: RegExp, error?: RegExp, reason: string }} Exception */

/** What is as it should be, and why. One that is not needed fails the run. @type {readonly Exception[]} */
const exceptions = [
  {
    target: /^new (core\.Minions(Access)?|core\/storage\.Store|workspace\.WorkspaceLayout)$/,
    kind: ['leak', 'slow'],
    reason: 'the constructor is not public: `open` and `fromRoot` check what they are given',
  },
  {
    target: /^new (skills-runtime\.WorkerRunner)$/,
    kind: 'leak',
    reason: 'a plugin creates it from services that the host has checked',
  },
  {
    target:
      /^(core\/coordination\.(sleep|withDeadline|watchLease)|files\.FileLock#acquire|skills-runtime\/testing\.VirtualClock#sleep)$/,
    kind: 'endless',
    reason: 'it waits as long as it is told, or as the timers that it is given take',
  },
  {
    target: /^app\.skills\.wait$/,
    kind: 'endless',
    reason: 'it waits until the subagent has ended',
  },
  {
    target: /^(skills-runtime\.(WorkerRunner#|inlineRunner\.)run|scriptedSkill\(\)\.execute)$/,
    kind: 'leak',
    reason: 'the engine calls it with parameters that it has checked and a context of its own',
  },
  {
    target: /^app\.skills\.bus\.request$/,
    kind: 'endless',
    reason: 'it waits for an answer, without a timeout for as long as there is none',
  },
  {
    target: /^(tx\.contracts\.store\.storage\.run|skills-runtime\/testing\.VirtualClock#until)$/,
    kind: 'leak',
    reason: 'the first is called by the store alone, the second by tests, with promises of theirs',
  },
  {
    target: /^core\/coordination\.withDeadline$/,
    kind: 'leak',
    value: /^a thenable whose then throws$/,
    reason: 'it settles as the work of the caller does',
  },
  {
    target: /^core\/coordination\.sleep$/,
    kind: 'leak',
    error: /^outside of the call/,
    reason: 'when the time is over, a signal that cannot be read is let go of where no caller is left to be told',
  },
  {
    target: /^files(\/yaml)?\.(parseYaml|refuseNesting)$/,
    kind: 'slow',
    value: /^50 MB of words$/,
    reason: 'a whole file may be as long, and all of it has to be read',
  },
  {
    target: /^(files\.replaceFile|dataFiles\(\)#write|app\.importBundle)$/,
    kind: ['endless', 'slow'],
    value: /^an (async )?iterable that never ends$/,
    reason: 'it takes pieces for as long as the caller has more of them, up to the longest line',
  },
  {
    target: /./,
    kind: 'leak',
    value: /^a proxy of it/,
    position: /\.signal$|^argument \d$/,
    error: /^outside of the call/,
    reason: 'the platform reads a signal once more when it is no longer needed, where no caller is left to be told',
  },
  {
    target: /^(core\/operations\.listChanges|server\/plugin\.(createKey|listKeys|revokeKey))\.run$/,
    kind: ['leak', 'slow'],
    reason: 'the work of an operation is called by `runOperation`, which checks input, options and dependencies',
  },
]

/** The exception that a finding is, if it is one. @param {Finding} finding */
export function exceptionFor(finding) {
  return exceptions.find(
    ({ target, kind, value, position, error }) =>
      [kind].flat().includes(finding.kind) &&
      target.test(finding.target) &&
      (error?.test(finding.error) ?? true) &&
      (finding.parts.length > 0 ? finding.parts : [{ position: '', value: '' }]).some(
        (part) => (value?.test(part.value) ?? true) && (position?.test(part.position) ?? true),
      ),
  )
}

/** @param {readonly Finding[]} findings @param {readonly string[]} targets */
export function acceptFindings(findings, targets) {
  const used = new Set()
  const left = findings.filter((finding) => {
    const exception = exceptionFor(finding)
    if (exception !== undefined) used.add(exception)
    return exception === undefined
  })
  const unused = exceptions
    .filter((exception) => !used.has(exception))
    .map(({ target, reason }) => `the exception ${target} is not needed (${targets.length} functions): ${reason}`)
  return { left, unused }
}
