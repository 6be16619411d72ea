import type { IncomingHttpHeaders } from 'node:http'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { SECRETS } from '../../domain/purchases/public.ts'

/** What a delivery was signed with. */
export interface Signed {
  /** The provider's id of it. */
  readonly eventId: string
  /** When it was sent; ISO 8601. */
  readonly sentAt: string
}

const LONGEST_ID = 255
const refused = (): Refusal => new Refusal('unauthenticated', 'Signature missing or invalid')

const headerIn = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/**
 * Checks a delivery by Standard Webhooks: signed within five minutes from now with the secret of the endpoint, whose text as it was issued is the key.
 *
 * @throws {Refusal} unauthenticated
 */
export const verified = async (
  secrets: Pick<Secrets, 'open'>,
  { webhook_secret: sealed }: Document,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Signed> => {
  const { Webhook } = await import('standardwebhooks')
  const said = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headerIn(headers, name)]),
  )
  const eventId = said['webhook-id'] ?? ''
  if (typeof sealed !== 'string' || eventId === '' || eventId.length > LONGEST_ID) throw refused()
  try {
    new Webhook(secrets.open(SECRETS, sealed), { format: 'raw' }).verify(body, said, { jsonParse: false })
  } catch {
    throw refused()
  }
  return { eventId, sentAt: new Date(Number.parseInt(said['webhook-timestamp'] ?? '', 10) * 1000).toISOString() }
}
