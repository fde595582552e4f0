import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { expectTypeOf } from 'vitest'
import { type ChainResults, defineSkill, type Subagent, SubagentManager, skills } from '../../src/index.js'

const manager = new SubagentManager()
const navigate = defineSkill({
  name: 'navigate',
  version: '1.0.0',
  parameters_schema: Type.Object({ location: Type.String() }),
  returns_schema: Type.Object({ status: Type.String() }),
  execute: ({ location }) => ({ status: location }),
})

expectTypeOf(manager.run('id', navigate, { location: 'x' })).resolves.toEqualTypeOf<{ status: string }>()
expectTypeOf(manager.runChain('id', 'x', { x: ({ y }) => ({ n: y?.n }) })).resolves.toEqualTypeOf<ChainResults>()
expectTypeOf(manager.get('id')).resolves.toEqualTypeOf<Subagent>()

// @ts-expect-error the location is missing
void manager.run('id', navigate, {})
// @ts-expect-error there is no such state
void manager.list({ state: 'asleep' })
// @ts-expect-error a subagent is made idle
void manager.spawn({ state: 'running' })

const app = await createMinions({ storage: memoryStorage(), plugins: [skills({ limits: { agents: 3 } })] })
expectTypeOf(app.skills).toEqualTypeOf<SubagentManager>()
// @ts-expect-error the namespace is called skills
void app.skill
