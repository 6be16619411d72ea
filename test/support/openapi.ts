import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = Record<string, unknown>

/** Returns how an answer violates the document, or `undefined` when it does not. */
export type ResponseChecker = (method: string, path: string, status: number, body: unknown) => string | undefined

/** Forbids undocumented properties in the objects of responses. */
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

interface Served {
  readonly pattern: RegExp
  readonly literal: number
  readonly methods: Json
}

/** Checks answers against an OpenAPI 3.1 document. */
export const responseChecker = (document: object): ResponseChecker => {
  const doc = closed(document) as { paths: Record<string, Json>; components: Json }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (instance: Ajv2020) => void)(ajv)
  ajv.addSchema({ $id: 'doc', components: doc.components })
  const served: Served[] = Object.entries(doc.paths)
    .map(([template, methods]) => ({
      pattern: toPattern(template),
      literal: template.replace(/\{[^}]+\}/g, '').length,
      methods,
    }))
    .sort((a, b) => b.literal - a.literal)
  const validators = new Map<unknown, ValidateFunction>()

  const schemaOf = (response: Json | undefined): Json | undefined => {
    const ref = response?.$ref as string | undefined
    const resolved = ref ? ((doc.components.responses as Json)[ref.split('/').at(-1)!] as Json) : response
    return (((resolved?.content as Json)?.['application/json'] as Json)?.schema as Json) ?? undefined
  }

  return (method, path, status, body) => {
    const route = served.find(({ pattern }) => pattern.test(`/api/v2${path.split('?')[0]}`))
    const operation = route?.methods[method.toLowerCase()] as Json | undefined
    if (!operation) return status === 404 ? undefined : `${method} ${path} is not documented`
    const response = (operation.responses as Json)[status] as Json | undefined
    if (!response) return `status ${status} is not documented`
    const schema = schemaOf(response)
    if (!schema) return body === undefined ? undefined : 'a body where none is documented'
    let validate = validators.get(schema)
    if (!validate) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')
      validate = ajv.compile(JSON.parse(text) as object)
      validators.set(schema, validate)
    }
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
}
