// @ts-check

/**
 * @typedef {{ version?: string, dev?: boolean, optionalDependencies?: Record<string, string>, [field: string]: unknown }} LockEntry
 * @typedef {Record<string, LockEntry>} LockEntries by place, such as `node_modules/a/node_modules/b`
 */

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * The entries that a lockfile should have for optional packages of other platforms. Their versions are exact in the
 * packages that ask for them, and their names tell the platform.
 *
 * @param {LockEntries} entries
 * @returns {LockEntries}
 */
export function missingEntries(entries) {
  /** @type {LockEntries} */
  const missing = {}
  for (const [place, { dev, optionalDependencies = {} }] of Object.entries(entries)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name)
      if (!platform || !/^\d/.test(version) || findVersions({ ...entries, ...missing }, place, name).includes(version))
        continue
      const beside = `${place.slice(0, place.lastIndexOf('node_modules/'))}node_modules/${name}`
      const free = !entries[beside] && !missing[beside]
      missing[free ? beside : `${place}/node_modules/${name}`] = {
        version,
        ...platform,
        ...(dev && { dev }),
        optional: true,
      }
    }
  }
  return missing
}

/**
 * The versions of a package that can be seen from a place, the nearest first.
 *
 * @param {LockEntries} entries
 * @param {string} place
 * @param {string} name
 */
function findVersions(entries, place, name) {
  const folders = place
    .split('/node_modules/')
    .map((_, depth, all) => all.slice(0, all.length - depth).join('/node_modules/'))
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].flatMap(
    (candidate) => entries[candidate]?.version ?? [],
  )
}

/** @param {string} name such as `@x/binding-linux-x64-musl` */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  if (os.length + cpu.length === 0) return undefined
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : []
  return {
    ...(cpu.length > 0 && { cpu }),
    ...(os.includes('linux') && libc.length > 0 && { libc }),
    ...(os.length > 0 && { os }),
  }
}
