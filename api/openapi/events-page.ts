import { type EventType, subscribable, uncausedKeys } from '../../domain/webhooks/catalog.ts'
import { envelopeSchemas } from '../../domain/webhooks/payload.ts'
import { attributesSchema } from './schemas.ts'

type Schema = Readonly<Record<string, unknown>>

const code = (text: string): string => `\`${text}\``

/** Returns the type of a schema in a word or two. */
const typeOf = (schema: Schema): string => {
  const alternatives = schema.anyOf as readonly Schema[] | undefined
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' or ')
  if (Array.isArray(schema.enum)) return (schema.enum as readonly string[]).map((word) => code(word)).join(', ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Schema)}`
  return schema.format === 'date-time' ? 'date-time' : String(schema.type ?? 'any')
}

const describedIn = (schema: Schema): string => {
  if (typeof schema.description === 'string') return schema.description
  const described = ((schema.anyOf ?? []) as readonly Schema[]).find((one) => one.description !== undefined)
  return String(described?.description ?? '')
}

const rows = (properties: Readonly<Record<string, Schema>>): string =>
  Object.entries(properties)
    .map(([name, schema]) => `| ${code(name)} | ${typeOf(schema)} | ${describedIn(schema)} |`)
    .join('\n')

const HEAD = `# Public events

Everything that outgoing webhooks tell, and that workflows can begin with. A key is what ${code('event_type_ids')} of a webhook endpoint
holds; the alias is the name of the same event for clients of the compatible API, and is understood wherever the key is. This page
is made from the declarations by ${code('npm run docs:events')}; the OpenAPI document has the same in its ${code('webhooks')} section.

## A delivery

A POST with a JSON body. It counts as delivered with status 200 to 207 or 226; redirects do not count. Anything else is tried again after
1 s, 15 s, 1 min, 5 min, 15 min, 1 h, 12 h and 24 h, then daily, for five days, each wait up to a tenth longer; ${code('Retry-After')} is
honoured up to a day. 410 disables the endpoint, and so do five days without a single success. An answer has 15 seconds.

Events of one subject come in order: the next is sent when the one before was delivered or given up. Every event comes at least
once, so receivers keep the ${code('event_id')} of what they have done. A subject that fails holds up no other.

| header | what it holds |
| --- | --- |
| ${code('webhook-id')} | the event's id, the same in every attempt |
| ${code('webhook-timestamp')} | Unix seconds of this attempt |
| ${code('webhook-signature')} | ${code('v1,<base64>')} of HMAC-SHA256 over ${code('<id>.<timestamp>.<body>')} (Standard Webhooks), keyed by ${code('signing_secret')}; after a rotation also one for each former secret, for 24 hours or until ${code('end_former_secrets')} |
| ${code('X-Webhook-ClickFunnels-Timestamp')} | Unix seconds of this attempt |
| ${code('X-Webhook-ClickFunnels-Signature')} | hexadecimal HMAC-SHA256 over ${code('<timestamp>.<body>')}, keyed by the text of ${code('webhook_secret')}; for 24 hours after a rotation by the one before |

## The body
`

const envelope = (): string => {
  const data = { data: { type: 'object', description: 'The subject as the API showed it when the event happened' } }
  const properties = { ...(envelopeSchemas as unknown as Record<string, Schema>), ...data }
  return `| field | type | meaning |\n| --- | --- | --- |\n${rows(properties)}`
}

const overview = (types: readonly EventType[]): string => {
  const lines = types.map(({ key, publication, resource }) => {
    const alias = publication.alias === undefined ? '' : code(publication.alias)
    return `| ${code(key)} | ${alias} | ${code(resource.title)} | ${publication.about} |`
  })
  return `| key | alias | subject | when |\n| --- | --- | --- | --- |\n${lines.join('\n')}`
}

const silent = (types: readonly EventType[]): string => {
  const lines = uncausedKeys(types).map(({ key, subject, about }) => `| ${code(key)} | ${code(subject)} | ${about} |`)
  return `| key | subject | when |\n| --- | --- | --- |\n${lines.join('\n')}`
}

const SILENT = `## Not yet

Keys of the compatible API that nothing causes yet. An endpoint may ask for them, and is told when something comes to cause them.`

const subjects = (types: readonly EventType[]): string => {
  const resources = [...new Set(types.map(({ resource }) => resource))].sort((a, b) => (a.title < b.title ? -1 : 1))
  return resources
    .map((resource) => {
      const { properties } = attributesSchema(resource) as unknown as { properties: Record<string, Schema> }
      const keys = types.filter((type) => type.resource === resource).map(({ key }) => code(key))
      return `### ${resource.title}\n\n${keys.join(', ')}\n\n| field | type | meaning |\n| --- | --- | --- |\n${rows(properties)}`
    })
    .join('\n\n')
}

const PING = `In addition, ${code('$webhook.ping')} comes to an endpoint when a client asks for it by
${code('POST /webhooks/outgoing/endpoints/{id}/ping')}; nobody subscribes to it.`

/** Returns the page of all public events, in Markdown. */
export const eventsPage = (types: readonly EventType[]): string => {
  const open = subscribable(types)
  return `${HEAD}\n${envelope()}\n\n## Types\n\n${overview(open)}\n\n${PING}\n\n${SILENT}\n\n${silent(open)}\n\n## Subjects\n\nWhat ${code('data')} holds.\n\n${subjects(types)}\n`
}
