// @ts-check

/**
 * @typedef {{ name: string, type: string, oldVersion: string, newVersion: string, changesets: string[] }} Release
 * @typedef {{ id: string, summary: string, releases: { name: string, type: string }[] }} Changeset
 * @typedef {{ changesets: Changeset[], releases: Release[] }} Status as `changeset status --output` writes it
 */

/**
 * What is wrong with the versions that the waiting changesets lead to.
 *
 * @param {Status} status
 * @returns {string[]}
 */
export function versionProblems({ changesets, releases }) {
  const untold = changesets
    .filter(({ summary }) => summary.trim() === '')
    .map(({ id }) => `changeset ${id} says nothing`)
  const asked = changesets.flatMap((changeset) => changeset.releases)
  // A dependency that leaves a package's range can push the package to a major version that nobody asked for.
  const pushed = releases
    .filter(({ name, type }) => type === 'major' && !asked.some((one) => one.name === name && one.type === 'major'))
    .map(
      ({ name, oldVersion, newVersion }) => `${name} would go from ${oldVersion} to ${newVersion} without a changeset`,
    )
  return [...untold, ...pushed]
}

/** @param {Status} status @returns {string} */
export function describeReleases({ releases }) {
  const bumped = releases.filter(({ type }) => type !== 'none')
  return bumped.map(({ name, oldVersion, newVersion }) => `${name} ${oldVersion} → ${newVersion}`).join(', ') || 'none'
}
