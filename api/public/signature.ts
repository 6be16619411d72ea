import type { IncomingHttpHeaders } from 'node:http'
import { keyOfWorkspace } from '../../domain/kernel/model/personal.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'

/** Signed headers of a delivery. */
export interface Signed {
  /** Id that the provider gave to the delivery. */
  readonly eventId: string
  /** Time of sending; ISO 8601. */
  readonly sentAt: string
}

const LONGEST_ID = 255
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const TIMESTAMP = /^\d{1,12}$/
const refused = (): Refusal => new Refusal('unauthenticated', 'Signature missing or invalid')

const headerIn = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Longest time, in seconds, between the signing of a delivery and now, in either direction. */
const TOLERANCE_S = 5 * 60

/** Refuses, before a body is read, headers that cannot belong to a valid signature. @throws {Refusal} unauthenticated */
export const mustBeSigned = (headers: IncomingHttpHeaders): void => {
  const [id, timestamp, signature] = SIGNED_HEADERS.map((name) => headerIn(headers, name))
  const age = Math.abs(Date.now() / 1000 - (TIMESTAMP.test(timestamp!) ? Number(timestamp) : Number.NaN))
  if (id === '' || id!.length > LONGEST_ID || signature === '' || !(age <= TOLERANCE_S + 1)) throw refused()
}

/**
 * Checks a delivery by Standard Webhooks. It must be signed within five minutes from now with the endpoint's secret, whose text as issued is the key.
 *
 * @throws {Refusal} unauthenticated
 */
export const verified = async (
  vault: Pick<Vault, 'open'>,
  { webhook_secret: sealed, workspace_id }: Document,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Signed> => {
  const { Webhook } = await import('standardwebhooks')
  const signed = Object.fromEntries(SIGNED_HEADERS.map((name) => [name, headerIn(headers, name)]))
  const eventId = signed['webhook-id'] ?? ''
  if (typeof sealed !== 'string' || eventId === '' || eventId.length > LONGEST_ID) throw refused()
  const opened = await vault.open(keyOfWorkspace(Number(workspace_id)), sealed)
  try {
    new Webhook(String(opened?.secret ?? ''), { format: 'raw' }).verify(body, signed, { jsonParse: false })
  } catch {
    throw refused()
  }
  return { eventId, sentAt: new Date(Number.parseInt(signed['webhook-timestamp'] ?? '', 10) * 1000).toISOString() }
}
