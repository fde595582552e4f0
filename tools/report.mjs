// @ts-check

/**
 * Ends a check: prints each problem on a line of its own and sets the exit code, or prints what was found to hold.
 *
 * @param {string} check name of the check
 * @param {string[]} problems
 * @param {string} holds said when there are none
 */
export function reportProblems(check, problems, holds) {
  for (const problem of problems) console.error(`${check}: ${problem}`)
  if (problems.length === 0) console.log(`${check}: ${holds}`)
  else process.exitCode = 1
}
