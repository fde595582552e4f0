import type { Minions } from '@minions/core'
import { expectTypeOf, test } from 'vitest'
import {
  type DiffResult,
  type PromptMinion,
  PromptsApi,
  type PromptVersionMinion,
  prompts,
  promptsRef,
} from '../src/index.js'

declare const client: Minions
const api = new PromptsApi(client)

test('what the methods give is typed', () => {
  expectTypeOf(api.addVersion('p', { content: 'x' })).resolves.toEqualTypeOf<PromptVersionMinion>()
  expectTypeOf(api.addVersion('p', { content: 'x' })).resolves.toHaveProperty('fields')
  expectTypeOf<PromptVersionMinion['fields']['versionNumber']>().toEqualTypeOf<number | undefined>()
  expectTypeOf(api.history('p')).resolves.toEqualTypeOf<PromptMinion[]>()
  expectTypeOf(api.diff('a', 'b')).resolves.toEqualTypeOf<DiffResult>()
  expectTypeOf(api.render('p', {})).resolves.toBeString()
  expectTypeOf(prompts().ref).toEqualTypeOf(promptsRef)
})

test('what cannot work does not compile', () => {
  // @ts-expect-error a prompt needs content
  api.create({ title: 'P' })
  // @ts-expect-error a proposal says who makes it
  api.proposeVersion('p', { content: 'x' })
  // @ts-expect-error there is no such type of variable
  api.variables.define('p', { name: 'a', variableType: 'date' })
  // @ts-expect-error a comparison needs a judge or results
  api.compare('a', 'b', { seed: 1 })
  // @ts-expect-error an evaluation says whether the test passed
  api.tests.run('p', 't', { scores: { tone: 1 } })
})
