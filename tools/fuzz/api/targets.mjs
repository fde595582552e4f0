// @ts-check
import { operationsOf, runOperation } from '@minions/core/operations'
import { instances, returned } from './arguments/instances.mjs'
import { validArguments } from './arguments/valid.mjs'
import { allExports, isClass, methodsOf } from './discover.mjs'
import { World } from './world.mjs'

/** @import { Callable, Exported } from './discover.mjs' */
/**
 * @typedef {(world: World) => readonly unknown[] | Promise<readonly unknown[]>} Arguments
 * @typedef {{
 *   name: string, parameters: number, valid: Arguments | undefined, prepare?: (world: World) => Promise<void>,
 *   subject: (world: World) => unknown, call: (subject: any, args: readonly unknown[], settle: Settle) => unknown
 * }} Target something that is called with hostile values, and what it is called on
 * @typedef {(result: unknown) => Promise<unknown>} Settle waits for all that a call returns
 */

/** Everything that a user of the packages can call, and what cannot be reached. */
export async function findTargets() {
  const exported = await allExports()
  const world = await World.open()
  try {
    /** @type {Set<unknown>} */
    const seen = new Set()
    const inApp = methodsOf('app', world.app, { seen })
    const inTransaction = await world.app.transaction(async (tx) => methodsOf('tx', tx, { seen }))
    /** Methods that objects share are tried on one of them. @type {Set<unknown>} */
    const tried = new Set()
    const { targets, problems } = await exportedTargets(exported, world, seen, tried)
    const all = [
      ...targets,
      ...inApp
        .filter((method) => !tried.has(method.find(world.app).call))
        .map((method) => target(method.name, method.parameters, (app, args) => invoke(method, app, args), appOf)),
      ...inTransaction.map((method) =>
        target(
          method.name,
          method.parameters,
          (app, args, settle) => app.transaction((/** @type {unknown} */ tx) => settle(invoke(method, tx, args))),
          appOf,
        ),
      ),
      ...(await returnedTargets(world)),
      ...operationTargets(world),
    ]
    problems.push(...unknownArguments(all))
    return { targets: all, problems }
  } finally {
    await world.close()
  }
}

/**
 * @param {Exported[]} exported
 * @param {World} world
 * @param {ReadonlySet<unknown>} seen objects whose methods are tried anyway
 * @param {Set<unknown>} tried
 */
async function exportedTargets(exported, world, seen, tried) {
  /** @type {Target[]} */
  const targets = []
  /** @type {string[]} */
  const problems = []
  for (const { name, value } of exported) {
    if (isClass(value)) {
      targets.push(target(`new ${name}`, value.length, (_, args) => new value(...args)))
      targets.push(...statics(name, value))
      const create = instances[name]
      if (create !== undefined) targets.push(...(await instanceMethods(name, create, world, tried)))
      else if (![...seen].some((one) => one instanceof value)) {
        problems.push(`there is no instance of ${name}; add one to arguments/instances.mjs`)
      }
    } else if (typeof value === 'function') {
      targets.push(target(name, value.length, (_, args) => value(...args)))
      targets.push(...statics(name, value))
    } else targets.push(...(await instanceMethods(name, () => value, world, tried)))
  }
  for (const name of Object.keys(instances)) {
    if (!exported.some((one) => one.name === name)) problems.push(`${name} in arguments/instances.mjs is not exported`)
  }
  return { targets, problems }
}

/** The functions that a function or class has as properties. @param {string} name @param {Function} owner */
function statics(name, owner) {
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([key, { value }]) =>
    typeof value === 'function' && !isClass(value)
      ? [target(`${name}.${key}`, value.length, (_, args) => Reflect.apply(value, owner, args))]
      : [],
  )
}

/**
 * @param {string} name
 * @param {(world: World) => any} create
 * @param {World} world
 * @param {Set<unknown>} tried
 */
async function instanceMethods(name, create, world, tried) {
  const first = await create(world)
  return methodsOf(name, first, { deepest: 0 }).flatMap((method) => {
    const { call } = method.find(first)
    if (tried.has(call)) return []
    tried.add(call)
    const named = isClass(first.constructor) ? method.name.replace(`${name}.`, `${name}#`) : method.name
    return [target(named, method.parameters, (instance, args) => invoke(method, instance, args), create)]
  })
}

/** What calls return: functions, and the methods of objects. @param {World} world */
async function returnedTargets(world) {
  /** @type {Target[]} */
  const targets = []
  for (const [name, create] of Object.entries(returned)) {
    const first = await create(world)
    if (typeof first === 'function') targets.push(target(name, first.length, (call, args) => call(...args), create))
    targets.push(...(await instanceMethods(name, create, world, new Set())))
  }
  return targets
}

/** @param {World} world */
function operationTargets({ app }) {
  return [...operationsOf(app).values()].flatMap(({ value: { name, examples = [] } }) =>
    examples.map((example, index) => ({
      name: `operation ${name}${index === 0 ? '' : ` ${index + 1}`}`,
      parameters: 2,
      valid: () => [example.input, { by: example.by ?? 'ada', tenant: example.tenant }],
      prepare: (/** @type {World} */ world) => world.prepare(example),
      subject: appOf,
      call: (/** @type {any} */ app, /** @type {readonly any[]} */ [input, options]) =>
        runOperation(app, name, input, options),
    })),
  )
}

/**
 * @param {string} name
 * @param {number} parameters
 * @param {Target['call']} call
 * @param {Target['subject']} [subject]
 * @returns {Target}
 */
function target(name, parameters, call, subject = () => undefined) {
  const valid = validArguments[name] ?? validArguments[name.replace(/^tx\./, 'app.')] ?? withoutArguments(parameters)
  return { name, parameters, valid, subject, call }
}

/** What takes no arguments, or none that it needs, can be called without. @param {number} parameters @returns {Arguments | undefined} */
function withoutArguments(parameters) {
  return parameters === 0 ? () => [] : undefined
}

/** @param {World} world */
const appOf = ({ app }) => app

/** @param {Callable} method @param {unknown} root @param {readonly unknown[]} args */
function invoke(method, root, args) {
  const { self, call } = method.find(root)
  return Reflect.apply(call, self, args)
}

/** @param {Target[]} targets */
function unknownArguments(targets) {
  const names = new Set(targets.map(({ name }) => name))
  return Object.keys(validArguments)
    .filter((name) => !names.has(name))
    .map((name) => `arguments/ has valid arguments of ${name}, which does not exist`)
}
