import { type ProjectChoices, storageUrl } from '../choices.js'
import { appFile } from './app-file.js'
import { dependenciesOf } from './dependencies.js'
import { mainFile, testFile } from './program-files.js'

/** The files of a project, by relative path. Nothing is written. */
export function projectFiles(choices: ProjectChoices): Record<string, string> {
  return {
    'package.json': `${JSON.stringify(manifestOf(choices), null, 2)}\n`,
    '.gitignore': 'node_modules/\ndata/\n',
    'README.md': readmeOf(choices),
    'src/app.mjs': appFile(choices),
    'src/main.mjs': mainFile(choices),
    'test/app.test.mjs': testFile(choices),
  }
}

function manifestOf({ name, storage }: ProjectChoices) {
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      start: 'node src/main.mjs',
      test: 'node --test test/*.test.mjs',
      // Another process cannot see what is in memory.
      ...(storage !== 'memory' && { studio: `minions studio ${storageUrl(storage)}` }),
      minions: `minions --storage ${storageUrl(storage)}`,
    },
  }
}

function readmeOf(choices: ProjectChoices): string {
  return `# ${choices.name}

A [Minions](https://github.com/minions/minions) project.

| command | does |
|---|---|
| \`npm start\` | runs \`src/main.mjs\` |
| \`npm test\` | runs the test, on memory |
${choices.storage === 'memory' ? '' : '| `npm run studio` | opens the Studio on the data of this project |\n'}| \`npm run minions -- list --type task\` | the \`minions\` command, on the data of this project |

\`src/app.mjs\` has the list of plugins; add one there and the app is typed with it. It uses
${dependenciesOf(choices)
  .map((name) => `\`${name}\``)
  .join(', ')}.
`
}
