// @ts-check
// Fails unless the Redis server at the given URL answers: `node tools/ci/reach-redis.mjs redis://…`.
import { connect } from 'node:net'
import { argv } from 'node:process'

const [, , url = ''] = argv
const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: url, port: '' }
const socket = connect({ host: hostname, port: Number(port || 6379), timeout: 10_000 })
socket.once('connect', () => socket.write('PING\r\n'))
socket.once('data', () => {
  console.log(`Redis answers at ${hostname}:${port || 6379}`)
  socket.destroy()
})
socket.once('timeout', () => socket.destroy(new Error('no answer')))
socket.once('error', (error) => {
  console.error(`Cannot reach Redis at ${hostname}:${port || 6379}: ${error.message}. Its suites are left out.`)
  process.exitCode = 1
})
