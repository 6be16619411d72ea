import type { Json } from '../../domain/kernel/values/event.ts'

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/
/** Words that some YAML parsers do not read as a text. */
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null)$/i

const key = (name: string): string => (PLAIN.test(name) && !WORDS.test(name) ? name : JSON.stringify(name))

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

/** Returns a value after its key or dash: on the same line when it fits on one, otherwise on the lines below. */
const behind = (value: Json, indent: string): string =>
  typeof value !== 'object' || value === null || isEmpty(value)
    ? ` ${JSON.stringify(value)}\n`
    : `\n${block(value, `${indent}  `)}`

const block = (value: object, indent: string): string =>
  Array.isArray(value)
    ? value.map((item: Json) => `${indent}-${behind(item, indent)}`).join('')
    : Object.entries(value)
        .map(([name, item]) => `${indent}${key(name)}:${behind(item as Json, indent)}`)
        .join('')

/** Levels below which a part of a document is not divided. */
const DIVIDED = 3

const partsOf = function* (value: object, indent: string, level: number): Generator<string> {
  for (const [name, item] of Object.entries(value)) {
    const isDivided = level < DIVIDED && typeof item === 'object' && item !== null && !Array.isArray(item)
    if (!isDivided || isEmpty(item)) yield `${indent}${key(name)}:${behind(item as Json, indent)}`
    else {
      yield `${indent}${key(name)}:\n`
      yield* partsOf(item, `${indent}  `, level + 1)
    }
  }
}

/**
 * Returns a document as YAML, in parts that are made one by one. Its texts are quoted as in JSON, which YAML reads in the same way. The package `yaml`, which supports the whole
 * language, takes a third of a second for the OpenAPI document, and does not take turns.
 */
export const yamlParts = (document: object): Iterable<string> => partsOf(document, '', 1)
