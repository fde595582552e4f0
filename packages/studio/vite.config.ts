import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig } from 'vite'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Editors are loaded with the first one, all they need with them. */
const isShared = (module: string) =>
  !/@codemirror|style-mod|w3c-keyname|@marijn|crelt|parts\/code\/(?!editor\.)/.test(module)

/** Builds the page into `dist/web`, from where the plugin serves it. */
export default defineConfig({
  root: folder('web'),
  base: '/studio/',
  logLevel: 'warn',
  // Stands for the number that each answer has of its own; the plugin replaces it.
  html: { cspNonce: 'NONCE' },
  resolve: { conditions: ['@minions/source', ...defaultClientConditions] },
  build: {
    outDir: folder('dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Inlined files would need `data:` in the policy.
    assetsInlineLimit: 0,
    license: true,
    reportCompressedSize: false,
    // `use client` says nothing where everything is on the client, and a loaded machine is not worth a warning.
    rolldownOptions: {
      // What several pages share is one file: many small ones would be fetched one after another.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: isShared }] } },
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && log.code !== 'PLUGIN_TIMINGS') report(level, log)
      },
    },
  },
})
