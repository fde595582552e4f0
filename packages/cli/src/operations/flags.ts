import type { Operation } from '@minions/core/operations'
import { Option } from 'commander'
import type { Cli } from '../cli.js'
import { parseJson, readContent } from '../input/content.js'
import type { Command } from '../program/command.js'
import { UsageError } from '../program/usage-error.js'

/** The parts of a JSON Schema that determine how its value is written on a command line. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly description?: string
  readonly default?: unknown
}

interface ObjectShape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

/** Adds one flag for each property of an operation's input: `pageSize` is `--page-size`. */
export function addFlags(command: Command, input: Operation['input']): void {
  const { properties = {}, required = [] } = input as ObjectShape
  for (const [name, shape] of Object.entries(properties)) {
    const option = new Option(flagOf(name, shape), describe(shape))
    const choices = shape.enum?.filter((value) => typeof value === 'string')
    if (choices?.length) option.choices(choices)
    else if (isList(shape)) option.argParser((value: string, previous: string[] = []) => [...previous, value])
    if (required.includes(name) && shape.default === undefined) option.makeOptionMandatory()
    command.addOption(option)
  }
}

/** The input of an operation from the flags of its command. */
export async function readFlags(
  cli: Cli,
  input: Operation['input'],
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { properties = {} } = input as ObjectShape
  const read: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(properties)) {
    const value = values[name]
    if (value !== undefined) read[name] = await readValue(cli, shape, `--${kebab(name)}`, value)
  }
  return read
}

function flagOf(name: string, shape: Shape): string {
  const flag = `--${kebab(name)}`
  if (isKind(shape, 'boolean')) return flag
  return `${flag} <${isList(shape) || isText(shape) ? 'text' : isNumber(shape) ? 'number' : 'json'}>`
}

function describe({ description = '', ...shape }: Shape): string {
  const source = isText(shape) || isNumber(shape) || isKind(shape, 'boolean') ? '' : '; JSON, @file or -'
  return `${description.replace(/\.$/, '')}${isList(shape) ? '; may be repeated' : source}`
}

async function readValue(cli: Cli, shape: Shape, flag: string, value: unknown): Promise<unknown> {
  if (typeof value !== 'string') return value
  if (isNumber(shape)) {
    const number = Number(value)
    if (value.trim() === '' || Number.isNaN(number)) throw new UsageError(`${flag} must be a number`)
    return number
  }
  if (isText(shape)) return shape.enum ? value : readContent(cli, value)
  return parseJson(await readContent(cli, value), flag)
}

const isKind = (shape: Shape, type: string): boolean =>
  shape.type === type || (shape.anyOf?.some((one) => one.type === type) ?? false)

const isText = (shape: Shape): boolean =>
  isKind(shape, 'string') ||
  (shape.enum ?? []).some((value) => typeof value === 'string') ||
  (shape.anyOf?.some(isText) ?? false)

/** A value that may be a string is passed as one, and interpreted by the operation. */
const isNumber = (shape: Shape): boolean => !isText(shape) && (isKind(shape, 'number') || isKind(shape, 'integer'))

const isList = (shape: Shape): boolean =>
  isKind(shape, 'array') && isText(shape.items ?? shape.anyOf?.find(({ items }) => items)?.items ?? {})

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
