import { writeFileSync } from 'node:fs'
import { isSystemError } from '@minions/files'
import type { Codec } from './codec/codec.js'
import { type Folder, STATE_FOLDER } from './folder.js'

/** Explains the folder to people, and to git what in it is only of use here. Files that are there already stay. */
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

The two letters only spread the files over folders. In file names \`%xx\` stands for a byte that not every file system
takes (capital letters among them), \`+\` separates the parts of a key, and \`~\` comes before the hash of a key that is too
long. What counts is the key inside the file: a file may also stand elsewhere in the folder of its collection.

You may edit, add and remove these files, by hand or by git, also while a program has the store open. Changes are taken in
at the next read. A file that cannot be read, does not fit its schema, repeats a unique value or refers to a record that
does not exist is not used and not touched; \`problems()\` says what is wrong with it. Once it is put right it is used again.

\`${STATE_FOLDER}/\` is the store's own. \`catalogue.json\` says which collections there are and belongs into git with the
records; everything else in it is of use to this copy of the folder only, and its .gitignore keeps it out of git:

- \`journal\`: the latest commits, whole or not at all; what a crash left undone is done from it
- \`index\`: revisions of the records. Without it, and without the journal, the files are taken as they are
- \`locks/\`: who is writing at the moment; \`tmp/\`: files that are being written
- \`set-aside/\`: files that stood in the way of a record that was written. Remove them when you no longer need them

Use the folder on a local file system, not on a network share.
`
}
