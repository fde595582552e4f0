import { writeFileSync } from 'node:fs'
import { isSystemError } from '@minions/files'
import type { Codec } from '../codec/codec.js'
import { type Folder, STATE_FOLDER } from './folder.js'

/** Explains the folder to people, and tells git what to ignore. Existing files are kept. */
export function writeReadme(folder: Folder, codec: Codec): void {
  writeNew(folder, 'README.md', readme(codec))
  writeNew(folder, `${STATE_FOLDER}/.gitignore`, '*\n!.gitignore\n!catalogue.json\n')
}

function writeNew(folder: Folder, path: string, text: string): void {
  try {
    writeFileSync(folder.absolute(path), text, { flag: 'wx' })
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
}

function readme({ format, extension }: Codec): string {
  return `# A Minions store

Every record is one ${format.toUpperCase()} file:

    <collection>/<two letters>/<id>${extension}

The two letters only spread the files over folders. In file names, \`%xx\` stands for a byte that not every file system
accepts (including capital letters), \`+\` separates the parts of a key, and \`~\` precedes the hash of a key that is too
long. Only the key inside the file matters: a file may also be elsewhere in the folder of its collection.

You may edit, add and remove these files, by hand or with git, even while a program has the store open. Changes are picked
up at the next read. A file that cannot be read, does not match its schema, repeats a unique value or refers to a record
that does not exist is neither used nor touched; \`problems()\` reports it. Fix the file and it is picked up again.

\`${STATE_FOLDER}/\` belongs to the store. \`catalogue.json\` lists the collections and belongs in git with the records;
everything else in it matters only to this copy of the folder, and its .gitignore keeps it out of git:

- \`journal\`: the latest commits, each complete or absent; interrupted writes are completed from it
- \`index\`: revisions of the records. Without it, and without the journal, the files are used as they are
- \`locks/\`: processes that are writing; \`tmp/\`: files that are being written
- \`set-aside/\`: files that were in the way of a record. Remove them when you no longer need them

Use the folder on a local file system, not on a network share.
`
}
