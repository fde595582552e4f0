import { expectTypeOf, test } from 'vitest'
import { createClient, type RunHandle } from '../src/index.js'
import type { TestApp } from './support/served.js'

const client = createClient<TestApp>({ url: 'http://localhost' })

test('inputs and outputs are those of the operations of the app', () => {
  expectTypeOf(client.prompts.render).parameter(0).toHaveProperty('prompt').toEqualTypeOf<string>()
  expectTypeOf(client.prompts.render({ prompt: 'Greeting' })).resolves.toEqualTypeOf<{ id: string; text: string }>()
  expectTypeOf(client.objects.count()).resolves.toEqualTypeOf<{ count: number }>()
  expectTypeOf(client.call('objects.count')).resolves.toEqualTypeOf<{ count: number }>()
  expectTypeOf(client.call('prompts.render', { prompt: 'x' })).resolves.toEqualTypeOf<{ id: string; text: string }>()
  // @ts-expect-error: the prompt is missing
  void client.prompts.render({})
  // @ts-expect-error: the input is missing
  void client.prompts.render()
  // @ts-expect-error: a prompt is named by a text
  void client.prompts.render({ prompt: 5 })
  // @ts-expect-error: there is no such operation
  void client.prompts.rendr
  // @ts-expect-error: there is no such area
  void client.promts
  // @ts-expect-error: there is no such operation
  void client.call('prompts.rendr', {})
})

test('names of several parts, runs and pages', () => {
  expectTypeOf(client.walks.take.long({ steps: 1 })).resolves.toEqualTypeOf<{ id: string; steps: number }>()
  expectTypeOf(client.walks.take.long.start({ steps: 1 })).resolves.toEqualTypeOf<
    RunHandle<{ id: string; steps: number }>
  >()
  for (const page of [client.objects.find.pages({ type: 'note' })]) {
    expectTypeOf(page).toExtend<AsyncGenerator<{ items: { title: string }[]; nextCursor?: string }>>()
  }
  expectTypeOf(client.objects.find.iterate()).toExtend<AsyncGenerator<{ title: string }>>()
  // @ts-expect-error: it gives one object, not pages
  void client.objects.get.iterate
})

test('without the type of an app, everything is possible and unknown', () => {
  const untyped = createClient({ url: 'http://localhost' })
  expectTypeOf(untyped.call('a.b', { c: 1 })).resolves.toEqualTypeOf<unknown>()
  expectTypeOf(untyped.objects?.get?.({ id: 'x' })).toEqualTypeOf<Promise<unknown> | undefined>()
})
