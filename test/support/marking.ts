import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import type { Field, FieldTable } from '../../domain/kernel/model/field.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { ApiClient } from './client.ts'
import type { Tenant } from './service.ts'

type Fields = Readonly<Record<string, unknown>>

const bodies = routesOf(resources).flatMap(({ method, path, operation }) => {
  const { body } = operation as WriteOperation
  const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)
  return body ? [{ method, pattern, body }] : []
})

const isFreeText = ({ schema, sends }: Field): boolean => {
  const text = JSON.stringify(sends ?? schema)
  return text.includes('"type":"string"') && !/"(?:format|pattern|enum|const|object|array)"/.test(text)
}

let count = 0

const marked = (fields: FieldTable, values: Fields): Fields => {
  const given = Object.entries(values).map(([name, value]): readonly [string, unknown] => {
    const inner = fields[name]?.inner
    if (!inner || typeof value !== 'object' || value === null) return [name, value]
    const within = (one: unknown) => (typeof one === 'object' && one !== null ? marked(inner, one as Fields) : one)
    return [name, Array.isArray(value) ? value.map(within) : within(value)]
  })
  const added = Object.entries(fields).flatMap(([name, field]) =>
    field.personal && !name.endsWith('_token') && isFreeText(field)
      ? [[name, `Unmistakable ${name} ${++count}`] as const]
      : [],
  )
  return Object.fromEntries([...given, ...added])
}

/** Returns a tenant whose records have a text that occurs nowhere else in every personal field that takes any text. */
export const marking = (tenant: Tenant): Tenant => {
  const call: ApiClient['call'] = (method, path, sent, options) => {
    const found = bodies.find((one) => one.method === method && one.pattern.test(path))
    if (!found || typeof sent !== 'object' || sent === null) return tenant.api.call(method, path, sent, options)
    const { root, fields } = found.body
    const values = (root === null ? sent : (sent as Fields)[root]) as Fields
    const more = marked(fields, values ?? {})
    return tenant.api.call(method, path, root === null ? more : { ...sent, [root]: more }, options)
  }
  const api: ApiClient = {
    ...tenant.api,
    call,
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
  }
  return { ...tenant, api }
}
