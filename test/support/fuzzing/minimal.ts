import type { FuzzRequest } from './requests.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const without = (value: unknown, [key = '', ...rest]: readonly string[]): unknown => {
  const { [key]: inner, ...others } = value as Record<string, unknown>
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) }
}

/** Paths of the parts that can be left out of a body: every field below its root. */
const places = (json: unknown): readonly (readonly string[])[] =>
  Object.entries(isObject(json) ? json : {}).flatMap(([root, fields]) =>
    isObject(fields) ? Object.keys(fields).map((field) => [root, field]) : [[root]],
  )

/** The smallest version of a request that still fails. */
export const minimal = async (
  request: FuzzRequest,
  stillFails: (request: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> => {
  let smallest = request
  const accept = async (candidate: FuzzRequest) => {
    if (await stillFails(candidate)) smallest = candidate
  }
  if (Object.keys(request.headers).length > 0) await accept({ ...smallest, headers: {} })
  if (request.path.includes('?')) await accept({ ...smallest, path: request.path.split('?')[0]! })
  for (const place of places(request.body && 'json' in request.body ? request.body.json : undefined)) {
    const now = smallest.body as { readonly json: unknown }
    await accept({ ...smallest, body: { json: without(now.json, place) } })
  }
  return smallest
}
