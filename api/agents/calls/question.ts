import type { Field, FieldTable } from '../../../domain/kernel/model/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Asked, Detail } from '../../accounts/agent-questions.ts'
import type { Route } from '../../routes.ts'
import type { Agent } from '../agent.ts'
import { consequenceOf, fieldsIn } from '../consequences.ts'
import { programOf } from '../program.ts'
import { type Sent, targetOf } from './carry-out.ts'
import { quoted, RecordWords } from './record-words.ts'

/** Returns a question in lines. A value has one line of its own, whatever it is. */
export const messageOf = ({ text, details }: Asked): string =>
  [text, ...details.map(([name, value]) => `${name}: ${value}`)].join('\n')

/** Letters of the digest of a call by which people tell two calls apart that read alike. */
const MARK_LETTERS = 8

/** Returns the mark of a call, which no other call has. */
export const markOf = (digest: string): string => digest.slice(0, MARK_LETTERS)

/** Fields and parts of fields that are told. */
const MOST_DETAILS = 60

const wordsOf = (name: string): string => name.replace(/_(?:ids?|attributes)$/, '').replaceAll('_', ' ')

/** Returns a value as it is told. @param isSecret only whether there is one */
const valueWords = (value: Json, isSecret: boolean): string => {
  if (value === null) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isSecret) return 'a new value, which is not shown'
  return typeof value === 'number' ? String(value) : quoted(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Returns what is told of a field: the records that it names, each of the parts that it has, or its value. */
const fieldDetails = async (
  words: RecordWords,
  name: string,
  value: Json,
  field: Field | undefined,
): Promise<readonly Detail[]> => {
  const many = Array.isArray(value) ? value : [value]
  const refersTo = field?.refersTo
  if (refersTo !== undefined && value !== null)
    return [[name, (await Promise.all(many.map((id) => words.of(refersTo, id)))).join('; ') || 'nothing']]
  if (field?.inner && many.every(isJsonObject) && many.length > 0) {
    const inner = field.inner
    const numbered = (index: number) => (many.length > 1 ? `${name} ${index + 1}` : name)
    const parts = many.map((one, index) => tableDetails(words, inner, one, `${numbered(index)}, `))
    return (await Promise.all(parts)).flat()
  }
  return [[name, valueWords(value, /secret|token|password/.test(name))]]
}

/** Returns what is told of fields that are sent, unknown ones included. */
const tableDetails = async (
  words: RecordWords,
  fields: FieldTable,
  sent: JsonObject,
  before = '',
): Promise<readonly Detail[]> => {
  const all = Object.entries(sent).map(([name, value]) =>
    fieldDetails(words, before + wordsOf(name), value ?? null, fields[name]),
  )
  return (await Promise.all(all)).flat()
}

/** Returns the record and the owner that a call names, as far as they are within reach. */
const targetsOf = async (words: RecordWords, { path, resource, operation }: Route, params: JsonObject) => {
  const find = async (name: string | undefined, param: string) => {
    const id = name !== undefined && path.includes(`{${param}}`) ? words.parseId(params[param], name) : undefined
    return name !== undefined && id !== undefined ? words.read.get(name, id) : undefined
  }
  const under = operation.kind === 'list' ? undefined : resource.under
  return { document: await find(resource.name, 'id'), owner: await find(under?.resource, under?.param ?? '') }
}

/**
 * Returns what a person is asked about a call that should not be done without a yes; `undefined` for one that may be.
 *
 * @param isForProgram whether the program hears it, which may not see all that the person may
 */
export const questionAbout = async (
  agent: Agent,
  route: Route,
  sent: Sent,
  isForProgram: boolean,
): Promise<Asked | undefined> => {
  const words = new RecordWords(agent, agent.access.caller.teamId, isForProgram)
  const { document, owner } = await targetsOf(words, route, sent.path ?? {})
  const fields = fieldsIn(route, sent.body)
  const call = { document, owner, sent: { ...sent.query, ...fields }, body: sent.body }
  const parseId = (value: unknown, kind: string) => words.parseId(value, kind)
  const consequence = await consequenceOf(route, { ...call, parseId }, words.read, agent.service.publicIds)
  if (consequence === undefined) return undefined
  const { operation, resource } = route
  const body = 'body' in operation ? operation.body : undefined
  const root = body?.root
  const told = typeof root === 'string' && isJsonObject(fields[root]) ? without(fields, root) : fields
  const details = [
    ...(document ? [['of', await words.about(resource, document)] as const] : []),
    ...(owner && owner.id !== document?.id ? [await ownerDetail(words, route, owner)] : []),
    ...(await tableDetails(words, {}, sent.query ?? {})),
    ...(await tableDetails(words, body?.fields ?? {}, told)),
  ]
  const left = details.length - MOST_DETAILS
  return {
    text: `This ${consequence}: ${route.operationId}, ${route.method} ${targetOf(agent, route, sent)}`,
    details: [
      ['program', await programOf(agent)],
      ...details.slice(0, MOST_DETAILS),
      ...(left > 0 ? [['further details', String(left)] as const] : []),
    ],
  }
}

const without = (fields: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name)) as JsonObject

const ownerDetail = async (words: RecordWords, { resource }: Route, owner: JsonObject): Promise<Detail> => [
  'in',
  await words.of(resource.under.resource, owner.id),
]
