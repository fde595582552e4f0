// @ts-check
import { parseSync, Visitor } from 'oxc-parser'

/**
 * A change of a file that tests should notice.
 * @typedef {{ start: number, end: number, text: string, what: string }} Mutant
 */

/** @type {Readonly<Record<string, string>>} */
const OPERATORS = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
}

/**
 * Every mutant of a source: operators turned, conditions forced, negations and calls left out, flags and small numbers
 * changed. Texts are left alone, since no test repeats what a message says.
 * @param {string} file
 * @param {string} source
 * @returns {Mutant[]}
 */
export function mutantsOf(file, source) {
  /** @type {Mutant[]} */
  const mutants = []
  const add = (/** @type {{ start: number, end: number }} */ { start, end }, /** @type {string} */ text) => {
    const was = source.slice(start, end).replace(/\s+/g, ' ')
    mutants.push({ start, end, text, what: `${shortened(was)} → ${shortened(text.replace(/\s+/g, ' ')) || 'nothing'}` })
  }
  /** @param {{ start: number, end: number, operator: string, left: { end: number }, right: { start: number } }} node */
  const turn = ({ operator, left, right }) => {
    const other = OPERATORS[operator]
    const start = source.indexOf(operator, left.end)
    if (other !== undefined && start >= 0 && start < right.start) add({ start, end: start + operator.length }, other)
  }
  const force = (/** @type {{ test: { start: number, end: number } | null }} */ { test }) => {
    if (test === null) return
    add(test, 'true')
    add(test, 'false')
  }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  new Visitor({
    BinaryExpression: turn,
    LogicalExpression: turn,
    AssignmentExpression: turn,
    IfStatement: force,
    ConditionalExpression: force,
    UnaryExpression: (node) => {
      if (node.operator === '!') add(node, source.slice(node.argument.start, node.argument.end))
    },
    ExpressionStatement: (node) => {
      if (['CallExpression', 'AwaitExpression', 'AssignmentExpression'].includes(node.expression.type)) add(node, '')
    },
    Literal: (node) => {
      if (typeof node.value === 'boolean') add(node, String(!node.value))
      if (node.value === 0 || node.value === 1) add(node, String(1 - node.value))
    },
  }).visit(program)
  return mutants.filter(({ start, end, text }) => source.slice(start, end) !== text && !isType(source, start))
}

/** @param {string} text */
const shortened = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

/** Literals in types change nothing that runs. @param {string} source @param {number} start */
function isType(source, start) {
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
  return /(\breadonly\b.*:|\btype\b.*=|\binterface\b|\bas const\b).*$/.test(line) && !/[=({]\s*$/.test(line)
}
