import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti, type Jiti } from 'jiti'

/** Imports modules as an application would, TypeScript included, wherever this package is installed. */
export class ApplicationImports {
  readonly #parent: string
  readonly #jiti: Jiti

  constructor(folder: string) {
    this.#parent = pathToFileURL(join(folder, 'package.json')).href
    // What Node can import itself it should, so that an app has one copy of everything.
    this.#jiti = createJiti(this.#parent, { tryNative: true, interopDefault: false })
  }

  /** The module of a package, or at a path that is relative to the application's folder. */
  async load(specifier: string): Promise<Readonly<Record<string, unknown>>> {
    const url = this.#jiti.esmResolve(specifier, { parentURL: this.#parent })
    const isTypeScript = /\.[cm]?tsx?$/.test(url)
    return isTypeScript ? this.#jiti.import(url) : import(/* @vite-ignore */ url)
  }
}
