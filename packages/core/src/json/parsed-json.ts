/**
 * Plain JSON in canonical order with the text it was just parsed from. The creator hands the value over: nothing
 * else refers to it, so it is passed on without a copy, as it is or as text. Internal, and never shown to a plugin, which
 * could change the value and not the text.
 */
export class ParsedJson<T extends object = object> {
  readonly value: T
  readonly text: string

  constructor(value: T, text: string) {
    this.value = value
    this.text = text
  }
}
