// Appends history entries as fast as it can: append-history.mjs <root> <prefix> <count> <maxBytes>
import { appendHistory } from '../../dist/index.js'

const [root, prefix, count, maxBytes] = process.argv.slice(2)
for (let index = 0; index < Number(count); index++) {
  await appendHistory(root, `${prefix}-${index} ${'x'.repeat(index % 97)}.`, { maxBytes: Number(maxBytes) })
}
