// @ts-check
// Runs kill rounds on the built package and says how they went. The writers it starts inherit its NODE_OPTIONS.
import { killRounds } from '../../../tools/torture/kill-rounds.mjs'

const { options, ...rounds } = JSON.parse(process.argv[2] ?? '{}')
const result = await killRounds({ ...rounds, backend: { package: 'storage-fs', factory: 'fsStorage', options } })
process.stdout.write(JSON.stringify(result))
