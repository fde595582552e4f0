import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'

/** Imports modules as an application would, TypeScript included, wherever this package is installed. */
export class ApplicationImports {
  readonly #parent: string
  #jiti: Promise<Jiti> | undefined

  constructor(folder: string) {
    this.#parent = pathToFileURL(join(folder, 'package.json')).href
  }

  /** The module of a package, or at a path relative to the application's folder. */
  async load(specifier: string): Promise<Readonly<Record<string, unknown>>> {
    this.#jiti ??= makeJiti(this.#parent)
    const jiti = await this.#jiti
    const url = jiti.esmResolve(specifier, { parentURL: this.#parent })
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
