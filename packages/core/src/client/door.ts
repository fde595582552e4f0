import { coreError } from '../errors/codes.js'
import { callingBack } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import { takeList, takeOptions } from '../errors/take.js'
import type { PluginType } from '../plugin/plugin-type.js'
import type { MinionType } from '../schemas/minion-type.js'
import { notFound } from './errors.js'
import type { Middleware } from './middleware.js'
import type { MinionsOptions } from './minions.js'
import type { MinionQuery } from './objects/minion-query.js'
import type { By } from './session.js'

/** Checks one argument and returns what the operation works with; what could do harm in it is read here. */
type Take = (value: unknown, operation: string) => unknown

interface OperationShape {
  readonly takes: readonly Take[]
  /** What the result holds: minions in one of these forms, or something else. */
  readonly gives: 'minion' | 'minions' | 'record' | 'page' | 'other'
}

/** The operations that middleware sees. `anything` marks arguments that are validated where they are used. */
export const OPERATIONS = {
  create: { takes: [takeType, anything, takeBy], gives: 'minion' },
  createMany: { takes: [takeType, takeInputs, takeBy], gives: 'minions' },
  get: { takes: [takeId], gives: 'minion' },
  getRecord: { takes: [takeId], gives: 'record' },
  update: { takes: [takeId, anything, takeBy], gives: 'minion' },
  softDelete: { takes: [takeId, takeBy], gives: 'minion' },
  restore: { takes: [takeId, takeBy], gives: 'minion' },
  hardDelete: { takes: [takeId, takeBy], gives: 'minion' },
  find: { takes: [takeQuery], gives: 'page' },
  search: { takes: [anything, takeQuery], gives: 'page' },
  count: { takes: [takeQuery], gives: 'other' },
  link: { takes: [takeInput, takeBy], gives: 'other' },
  unlink: { takes: [takeId, takeBy], gives: 'other' },
  relations: { takes: [takeId, takeObject], gives: 'other' },
  findRelations: { takes: [takeObject], gives: 'other' },
  children: { takes: [takeId, takeObject], gives: 'minions' },
  parents: { takes: [takeId, takeObject], gives: 'minions' },
  descendants: { takes: [takeId, takeObject], gives: 'minions' },
  ancestors: { takes: [takeId, takeObject], gives: 'minions' },
  network: { takes: [takeId, takeObject], gives: 'minions' },
  path: { takes: [takeId, takeId, takeObject], gives: 'minions' },
  topologicalOrder: { takes: [anything, takeObject], gives: 'minions' },
} as const satisfies Readonly<Record<string, OperationShape>>

export type OperationName = keyof typeof OPERATIONS

/** Checks arguments at a cost independent of their size. Throws `VALIDATION_FAILED`, or `NOT_FOUND` for a type. */
export function takeArguments(operation: OperationName, args: readonly unknown[]): readonly unknown[] {
  const takes: readonly Take[] = OPERATIONS[operation].takes
  const taken: unknown[] = new Array(takes.length)
  for (let index = 0; index < takes.length; index++) taken[index] = takes[index]?.(args[index], operation)
  return taken
}

/** The id or slug of a type, in whichever form it was given. Throws `NOT_FOUND`. */
export function takeType(type: unknown): string {
  if (typeof type === 'string') return type
  try {
    const id = (type as Partial<MinionType> | null | undefined)?.id
    if (typeof id === 'string') return id
  } catch {
    // It cannot be read, so it is not a type either.
  }
  throw notFound('type', type)
}

export function takeBy<T extends By>(options: unknown, operation: string): T {
  if (options === undefined || options === NO_OPTIONS) return NO_OPTIONS as T
  const taken = takeOptions(`The options of ${operation}`, options as T)
  if (taken.by === undefined || taken.by === null || typeof taken.by === 'string') return taken
  throw coreError('VALIDATION_FAILED', `\`by\` of ${operation} must be a string, not ${quote(taken.by)}.`)
}

const NO_OPTIONS: By = Object.freeze({})

function anything(value: unknown): unknown {
  return value
}

function takeId(id: unknown, operation: string): string {
  if (typeof id === 'string') return id
  throw coreError('VALIDATION_FAILED', `The id passed to ${operation} must be a string, not ${quote(id)}.`)
}

function takeObject(options: unknown, operation: string): object {
  return takeOptions(`The options of ${operation}`, options as object)
}

function takeInput(input: unknown, operation: string): object {
  if (typeof input === 'object' && input !== null) return takeOptions(`The input of ${operation}`, input)
  throw coreError('VALIDATION_FAILED', `The input of ${operation} must be an object, not ${quote(input)}.`)
}

function takeInputs(inputs: unknown): unknown[] {
  return takeList('The inputs of new minions', inputs as readonly unknown[])
}

function takeQuery(query: unknown): MinionQuery {
  const taken = takeOptions('A query', query as MinionQuery)
  return taken.type === undefined ? taken : { ...taken, type: takeType(taken.type) }
}

/** The options of a client, read once, with omitted lists filled in. */
export function takeOpenOptions(options: MinionsOptions): MinionsOptions & Required<Pick<MinionsOptions, ListName>> {
  const taken = takeOptions('The options of a client', options)
  for (const name of FUNCTIONS) {
    if (taken[name] === undefined || typeof taken[name] === 'function') continue
    throw coreError('VALIDATION_FAILED', `\`${name}\` of a client must be a function, not ${quote(taken[name])}.`)
  }
  const { types = [], collections = [], middleware = [] } = taken
  return {
    ...taken,
    types: takeList('The types of a client', types).map(takeTypeEntry),
    collections: takeList('The collections of a client', collections),
    middleware: takeList('The middleware of a client', middleware).map(takeMiddleware),
  }
}

function takeMiddleware(middleware: Middleware): Middleware {
  if (typeof middleware === 'function') return callingBack(middleware)
  throw coreError('VALIDATION_FAILED', `Middleware must be a function, not ${quote(middleware)}.`)
}

function takeTypeEntry(entry: PluginType): PluginType {
  const taken = takeOptions('A type of a client', entry)
  return 'type' in taken ? { ...taken, type: takeOptions('A type of a client', taken.type) } : taken
}

type ListName = 'types' | 'collections' | 'middleware'

const FUNCTIONS = ['clock', 'generateId', 'onChange', 'onLink', 'onUnlink', 'onImport', 'extendTransaction'] as const
