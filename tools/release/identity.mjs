// @ts-check

/** @import { Manifest } from '../packages.mjs' */

/**
 * The fields that tell npm where a package comes from. npm refuses to attest the provenance of a package whose
 * `repository` is not the repository that the release workflow runs in, so all of them are derived from the root manifest.
 *
 * @param {Pick<Manifest, 'author' | 'repository'>} rootManifest
 * @param {string} path of the package, relative to the repository's root
 */
export function identityOf({ author, repository }, path) {
  const url = String(/** @type {{ url?: string }} */ (repository)?.url ?? '')
  const page = url.replace(/^git\+/, '').replace(/\.git$/, '')
  return {
    author,
    repository: { type: 'git', url, directory: path },
    homepage: `${page}/tree/main/${path}#readme`,
    bugs: `${page}/issues`,
  }
}
