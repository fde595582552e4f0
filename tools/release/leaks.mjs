// @ts-check

/** What tokens and keys look like; each begins in a way that nothing else does. */
const secrets = {
  'a private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  'a GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})\b/,
  'an npm token': /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=\s*[^$\s]/,
  'an AWS key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a Slack token': /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
  'a Google key': /\bAIza[\w-]{35}\b/,
  'a model provider key': /\bsk-(?:ant-|proj-)?[\w-]{32,}/,
}

/** Files that hold secrets by custom. */
const secretFile = /(?:^|\/)(?:\.env(?:\..+)?|\.netrc|id_[a-z0-9]+|.*\.(?:pem|p12|pfx|key))$/

/** Folders of people and machines; a published file that names one was made from something local. */
const homeFolder = /(?:\/home|\/Users|[A-Z]:\\+Users)[/\\]+[\w.-]+[/\\]|\/root\/|file:\/\/\/(?!tmp\b)[a-z]/

/**
 * The secrets in a file that others will read.
 *
 * @param {string} file its path
 * @param {string} text
 * @returns {string[]}
 */
export function secretsIn(file, text) {
  return [
    ...(secretFile.test(file) ? [`${file} is a file that holds secrets`] : []),
    ...Object.entries(secrets)
      .filter(([, pattern]) => pattern.test(text))
      .map(([what]) => `${file} contains ${what}`),
  ]
}

/**
 * The absolute paths in a file that belong to the machine that made it.
 *
 * @param {string} file its path
 * @param {string} text
 * @param {string[]} folders of this machine, absolute
 * @returns {string[]}
 */
export function localPathsIn(file, text, folders) {
  const found = folders.find((folder) => folder.length > 1 && text.includes(folder)) ?? homeFolder.exec(text)?.[0]
  return found === undefined ? [] : [`${file} contains the local path ${found}`]
}
