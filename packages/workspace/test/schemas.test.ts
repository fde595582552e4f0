import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { WorkspaceManager } from '../src/index.js'
import { publishedSchemas } from '../src/schemas/published.js'

const read = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))

it('publishes its schemas as they are', async () => {
  for (const [name, schema] of Object.entries(publishedSchemas)) {
    const { $schema, $id, ...published } = await read(`../schemas/${name}.json`)
    expect(published).toEqual(JSON.parse(JSON.stringify(schema)))
    expect($id).toBe(`urn:minions:workspace:${name}`)
  }
})

it('describes the files of both programs', async () => {
  const validate = new Ajv2020().compile(await read('../schemas/workspace.json'))
  const written = Object.values(await read('./fixtures/workspaces.python.json'))
  for (const record of [...written, new WorkspaceManager('/nowhere').createSampleWorkspace().toDict()]) {
    expect(validate(record), JSON.stringify(validate.errors)).toBe(true)
  }
  expect(validate({ ...(written[0] as object), nodes: { n: {} } })).toBe(false)
})
