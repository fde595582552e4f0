import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'

/** Imports the module of a package, or at a path relative to the application's folder. */
export type ImportModule = (specifier: string) => Promise<Readonly<Record<string, unknown>>>

/** Imports modules as an application would, TypeScript included, wherever this package is installed. */
export function applicationImports(folder: string): ImportModule {
  const parentURL = pathToFileURL(join(folder, 'package.json')).href
  let loading: Promise<Jiti> | undefined
  return async (specifier) => {
    loading ??= makeJiti(parentURL)
    const jiti = await loading
    const url = jiti.esmResolve(specifier, { parentURL })
    const isTypeScript = /\.[cm]?tsx?$/.test(url)
    return isTypeScript ? jiti.import(url) : import(/* @vite-ignore */ url)
  }
}

/** Loaded on demand: most apps have no configuration, and loading takes a while. */
async function makeJiti(parent: string): Promise<Jiti> {
  const { createJiti } = await import('jiti')
  // Modules that Node can import itself are left to it, so that an app has one copy of everything.
  return createJiti(parent, { tryNative: true, interopDefault: false })
}
