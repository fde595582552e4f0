import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const entry = (path: string) => JSON.stringify(new URL(`../../dist/${path}/index.js`, import.meta.url))

/** Runs a script in a process of its own, which nothing else keeps alive. Resolves to what it prints. */
async function run(script: string, before = ''): Promise<string> {
  const module = `
    ${before}
    const { defineCollection, Store } = await import(${entry('storage')})
    const { memoryStorage } = await import(${entry('storage/memory')})
    const plain = defineCollection({ name: 'plain', version: 1, schema: { type: 'object' }, key: 'id' })
    const storage = memoryStorage()
    const open = (transactionTimeout) => Store.open(storage, [plain], { transactionTimeout })
    ${script}
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', module])
  return stdout.trim()
}

const useOf = (used: string) => `
  const [store, other] = [await open(50), await open(50)]
  await store.transaction(() => ${used}.put(plain, { id: 'a' })).catch((error) => console.log(error.code))
`

describe('the deadline of a transaction', () => {
  it('ends one that waits for itself, even if nothing else is left to do', async () => {
    expect(await run(useOf('other'))).toBe('TRANSACTION_TIMEOUT')
  })

  it('is not needed where the runtime can tell that the store is used inside, and passes where it cannot', async () => {
    expect(await run(useOf('store'))).toBe('OUTSIDE_TRANSACTION')
    expect(await run(useOf('store'), 'process.getBuiltinModule = undefined')).toBe('TRANSACTION_TIMEOUT')
  })

  it('does not keep a process alive once no transaction is under way', async () => {
    const output = await run(`
      const store = await open(3_600_000)
      for (const id of ['a', 'b']) await store.transaction((tx) => tx.put(plain, { id }))
      console.log('done')
    `)
    expect(output).toBe('done')
  })
})
