// Run by Deno and by Bun: does with the client what a program would, and prints what it saw.
const [dist, url, key] = (globalThis.Deno?.args ?? process.argv.slice(2)).map(String)
const { createClient, isMinionsError } = await import(dist)

const client = createClient({ url, key })
const seen = { items: [], progress: [] }
const note = await client.objects.create({ type: 'note', title: 'Plants', fields: { content: 'x' } })
seen.author = note.createdBy
for await (const { title } of client.objects.find.iterate({ limit: 1 })) seen.items.push(title)
seen.refused = await client.objects.get({ id: 'nowhere' }).catch((error) => isMinionsError(error, 'NOT_FOUND'))
const onProgress = ({ done }) => seen.progress.push(done)
seen.walked = (await client.walks.take.long({ steps: 3, pause: 20 }, { onProgress })).steps
const run = await client.walks.take.long.start({ steps: 2 })
seen.run = (await run.result()).steps
// biome-ignore lint/suspicious/noConsole: it is how the test hears of it
console.log(JSON.stringify(seen))
