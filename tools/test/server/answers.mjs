// @ts-check
import { Ajv2020 } from 'ajv/dist/2020.js'

/** @typedef {Record<string, any>} Json */
/** @typedef {import('ajv').ValidateFunction} Validate */

/** Judges answers by an OpenAPI document alone. */
export class AnswerJudge {
  /** @type {Map<string, Validate>} */
  #validators = new Map()
  #document
  #ajv

  /** @param {Json} document */
  constructor(document) {
    this.#document = document
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
    this.#ajv.addSchema(document, 'openapi')
  }

  /**
   * What is wrong with an answer; undefined if it is as the document says.
   *
   * @param {string} path as the document has it
   * @param {string} method
   * @param {Response} answer
   */
  async problem(path, method, answer) {
    const { status } = answer
    if (status >= 500) return `it is a ${status}: ${await answer.text()}`
    const responses = this.#document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const entry = [String(status), `${String(status)[0]}XX`].find((one) => one in responses)
    if (entry === undefined) return `the document knows no ${status}`
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
    const base = ['paths', path, method.toLowerCase(), 'responses', entry]
    const pointer = responses[entry].$ref ? responses[entry].$ref.slice(2).split('/') : base
    const validate = this.#validator([...pointer, 'content', type, 'schema'])
    if (!validate) return `the document knows no ${type} with ${status}`
    const body = await answer.json()
    return validate(body) ? undefined : `${JSON.stringify(validate.errors?.[0])}: ${JSON.stringify(body).slice(0, 500)}`
  }

  /** @param {string[]} parts @returns {Validate | undefined} */
  #validator(parts) {
    const pointer = `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    let validate = this.#validators.get(pointer)
    if (!validate) {
      if (parts.reduce((/** @type {any} */ value, part) => value?.[part], this.#document) === undefined)
        return undefined
      validate = this.#ajv.compile({ $ref: pointer })
      this.#validators.set(pointer, validate)
    }
    return validate
  }
}
