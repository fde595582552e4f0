#!/usr/bin/env node
import module from 'node:module'

// Later versions of Node cache compiled code for the next start.
module.enableCompileCache?.()
const { main } = await import('../dist/bundle/main.js')
process.exitCode = await main(process.argv.slice(2))
