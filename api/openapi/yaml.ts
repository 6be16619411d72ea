import type { Json } from '../../domain/kernel/values/event.ts'

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/
/** What some reader of YAML takes for something else than a text. */
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null)$/i

const key = (name: string): string => (PLAIN.test(name) && !WORDS.test(name) ? name : JSON.stringify(name))

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

/** A value behind its key or dash: on the same line where it is one, and below it otherwise. */
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

/**
 * A document as YAML, its texts quoted as in JSON, which YAML reads alike. The package `yaml`, which knows all of the language, takes a third of a second for the OpenAPI
 * document, in which nothing else is answered.
 */
export const yamlOf = (document: object): string => block(document, '')
