import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Retention } from '@minions/core/storage'
import { expect, it, onTestFinished } from 'vitest'
import { FeedFile } from '../src/feed/feed-file.js'
import { Folder, STATE_FOLDER } from '../src/files/folder.js'
import { Journal } from '../src/journal/journal.js'
import { removeFolder, temporaryFolder } from './folders.js'

const change = (key: string) => ({
  collection: 'notes',
  key,
  path: key,
  was: null,
  hash: key,
  revision: `r-${key}`,
  record: {},
})

/** Two processes with one journal and one feed, which write under a lock that they take in turn. */
function twoProcesses() {
  const root = temporaryFolder()
  onTestFinished(() => removeFolder(root))
  mkdirSync(join(root, STATE_FOLDER, 'tmp'), { recursive: true })
  const folder = new Folder(root)
  const journal = Journal.begin(folder, 0)
  const feeds = [0, 1].map(() => {
    const feed = new FeedFile(folder, new Retention('the test', undefined))
    feed.recover(journal)
    return feed
  })
  return { journal, feeds: feeds as [FeedFile, FeedFile] }
}

const told = (feed: FeedFile) => {
  feed.refresh()
  return [...feed.from(0)].flatMap(({ entries }) => entries.map(([key]) => key))
}

it('a process that flushes the feed writes nothing over what another has written since it looked', () => {
  const { journal, feeds } = twoProcesses()
  const [writer, other] = feeds
  journal.append([{ changes: [change('a')] }])
  writer.append(journal.records())
  other.flush(journal.generation)
  journal.append([{ changes: [change('b')] }])
  other.append(journal.records().slice(-1))
  for (const feed of feeds) expect(told(feed)).toEqual(['a', 'b'])
})

it('a process that completes the feed writes what is missing behind what another has written since it looked', () => {
  const { journal, feeds } = twoProcesses()
  const [writer, other] = feeds
  for (const key of ['a', 'b', 'c']) journal.append([{ changes: [change(key)] }])
  const records = journal.records()
  writer.append(records.slice(0, 2))
  other.complete(journal)
  other.flush(journal.generation)
  for (const feed of feeds) expect(told(feed)).toEqual(['a', 'b', 'c'])
})

it('a process reads nothing of the journal for changes that another has already written', () => {
  const { journal, feeds } = twoProcesses()
  const [writer, other] = feeds
  journal.append([{ changes: [change('a')] }])
  const records = journal.records()
  writer.append(records)
  other.expect(records)
  expect(other.isBehind).toBe(true)
  journal.close()
  other.complete(journal)
  expect(other.isBehind).toBe(false)
})
