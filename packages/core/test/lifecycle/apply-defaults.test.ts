import { describe, expect, it } from 'vitest'
import { applyDefaults, createMinion } from '../../src/index.js'
import { deepFreeze, recipeType } from './support.js'

describe('applyDefaults', () => {
  it('fills what is absent and keeps what is not', () => {
    const fields = deepFreeze({ servings: 0, labels: '', course: null, extra: 1 })
    expect(applyDefaults(fields, recipeType)).toEqual({
      servings: 0,
      labels: ['new'],
      course: null,
      extra: 1,
      nutrition: { energy: { kcal: 0 } },
    })
  })

  it('decision 1.9: defaults are copied for every minion, never shared', () => {
    const [first, second] = [1, 2].map(() => createMinion({ title: 'S', fields: { method: 'x' } }, recipeType).minion)
    expect(first?.fields.nutrition).toEqual(second?.fields.nutrition)
    expect(first?.fields.nutrition).not.toBe(second?.fields.nutrition)
    expect(first?.fields.labels).not.toBe(recipeType.schema[3].defaultValue)
    const defaults = applyDefaults({}, recipeType) as { nutrition: { energy: { kcal: number } } }
    defaults.nutrition.energy.kcal = 99
    expect(applyDefaults({}, recipeType).nutrition).toEqual({ energy: { kcal: 0 } })
  })

  it('takes anything for fields', () => {
    expect(applyDefaults(null as never, recipeType)).toMatchObject({ servings: 2 })
  })
})
