import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'

type Json = Record<string, unknown>

/** Returns how an answer violates the document, or `undefined` when it does not. */
export type ResponseChecker = (method: string, path: string, status: number, body: unknown) => string | undefined

/** Returns how the body of a request violates the document, or `undefined` when it does not. Unknown fields violate it. */
export type RequestChecker = (method: string, path: string, body: unknown) => string | undefined

/** Forbids undocumented properties in objects. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node as Json).map(([key, value]) => [key, closed(value)]))
  const isObjectSchema = copy.type === 'object' && typeof copy.properties === 'object'
  return isObjectSchema && !('additionalProperties' in copy) && !('patternProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`)

/** How many parts a path has. */
const depthOf = (path: string): number => path.split('/').length

interface Served {
  readonly pattern: RegExp
  readonly literal: number
  readonly methods: Json
}

/** Returns what finds operations in a closed OpenAPI 3.1 document, and what checks values by the schemas in it. */
const checking = (document: object) => {
  const doc = closed(document) as { paths: Record<string, Json>; components: Json }
  // A schema checks few values: what makes its code quick costs more than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  ;(addFormats as unknown as (instance: Ajv2020) => void)(ajv)
  ajv.addSchema({ $id: 'doc', components: doc.components })
  const served = new Map<number, Served[]>()
  for (const [template, methods] of Object.entries(doc.paths)) {
    const literal = template.replace(/\{[^}]+\}/g, '').length
    getOrInsert(served, depthOf(template), () => []).push({ pattern: toPattern(template), literal, methods })
  }
  for (const some of served.values()) some.sort((a, b) => b.literal - a.literal)
  const validators = new Map<unknown, ValidateFunction>()

  const operationOf = (method: string, path: string): Json | undefined => {
    const asked = `/api/v2${path.split('?')[0]}`
    const route = served.get(depthOf(asked))?.find(({ pattern }) => pattern.test(asked))
    return route?.methods[method.toLowerCase()] as Json | undefined
  }

  const violation = (schema: Json, value: unknown): string | undefined => {
    let validate = validators.get(schema)
    if (!validate) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')
      validate = ajv.compile(JSON.parse(text) as object)
      validators.set(schema, validate)
    }
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
  return { components: doc.components, operationOf, violation }
}

const jsonIn = (part: Json | undefined): Json | undefined =>
  ((part?.content as Json)?.['application/json'] as Json)?.schema as Json | undefined

/** Checks answers against an OpenAPI 3.1 document. */
export const responseChecker = (document: object): ResponseChecker => {
  const { components, operationOf, violation } = checking(document)
  const schemaOf = (response: Json | undefined): Json | undefined => {
    const ref = response?.$ref as string | undefined
    return jsonIn(ref ? ((components.responses as Json)[ref.split('/').at(-1)!] as Json) : response)
  }

  return (method, path, status, body) => {
    const operation = operationOf(method, path)
    if (!operation) return status === 404 ? undefined : `${method} ${path} is not documented`
    const response = (operation.responses as Json)[status] as Json | undefined
    if (!response) return `status ${status} is not documented`
    const schema = schemaOf(response)
    if (!schema) return body === undefined ? undefined : 'a body where none is documented'
    return violation(schema, body)
  }
}

/** Checks the bodies of requests against an OpenAPI 3.1 document. */
export const requestChecker = (document: object): RequestChecker => {
  const { operationOf, violation } = checking(document)
  return (method, path, body) => {
    const schema = jsonIn(operationOf(method, path)?.requestBody as Json | undefined)
    return schema ? violation(schema, body) : `${method} ${path} takes no documented body`
  }
}
