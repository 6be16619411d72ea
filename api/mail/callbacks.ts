import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MailReport } from '../../domain/kernel/ports/mail-reports.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { parseJson } from '../http/json.ts'
import { utf8Text } from '../http/utf8.ts'
import type { MailService } from './recipients.ts'
import { reportTaking } from './reports.ts'

/** Dependencies of taking reports from providers. */
export interface CallbackService extends MailService {
  /** Secret that providers sign with; `undefined`: none do. */
  readonly mailReportSecret: string | undefined
}

const PATH = '/m/reports'
const MOST_BYTES = 1024 * 1024
const MOST_REPORTS = 1000
/** Longest time between the signing of a callback and now, in either direction, in seconds. */
const TOLERANCE_S = 10 * 60
const LONGEST_ID = 255
const TIMESTAMP = /^\d{1,12}$/

const refused = (): Refusal => new Refusal('unauthenticated', 'Signature missing or invalid')

interface Signed {
  readonly id: string
  readonly timestamp: string
  /** Signatures, any of which may be ours: a secret that is being replaced signs beside its successor. */
  readonly signatures: readonly string[]
}

/** Returns what headers say about the signature of a body. @throws {Refusal} unauthenticated, when it cannot be valid */
const signedIn = (ctx: ApiContext): Signed => {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    ctx.get(name),
  )
  const age = Math.abs(Date.now() / 1000 - (TIMESTAMP.test(timestamp!) ? Number(timestamp) : Number.NaN))
  if (!id || id.length > LONGEST_ID || !signature || !(age <= TOLERANCE_S)) throw refused()
  return { id, timestamp: timestamp!, signatures: signature.split(' ').slice(0, 10) }
}

/** Checks the signature of a body (Standard Webhooks). @throws {Refusal} unauthenticated */
const mustBeSigned = ({ id, timestamp, signatures }: Signed, secret: string, body: Buffer): void => {
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
  const isOurs = (signature: string): boolean => {
    const [version, encoded = ''] = signature.split(',')
    const sent = Buffer.from(encoded, 'base64')
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
  }
  if (signatures.filter(isOurs).length === 0) throw refused()
}

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/

const invalid = (index: number, field: string, says: string): Refusal =>
  refuse.malformed(`reports[${index}].${field} ${says}`, `reports.${index}.${field}`)

const optionalText = (value: Json | undefined, index: number, field: string): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(index, field, 'must be a text')
  return value
}

/** A report, and by what it names its mail. */
interface Callback {
  readonly report: MailReport
  readonly returnPath: string | undefined
  readonly messageId: string | undefined
}

/** Reads one report. @throws {Refusal} malformed, naming the field */
const callbackIn = (sent: Json, index: number): Callback => {
  if (!isJsonObject(sent)) throw refuse.malformed(`reports[${index}] must be an object`, `reports.${index}`)
  const { type } = sent
  const returnPath = optionalText(sent.return_path, index, 'return_path')
  const messageId = optionalText(sent.message_id, index, 'message_id')?.replace(/^<|>$/g, '')
  const status = optionalText(sent.status, index, 'status') ?? null
  const diagnostic = optionalText(sent.diagnostic, index, 'diagnostic') ?? null
  const recipient = optionalText(sent.recipient, index, 'recipient')
  if (returnPath === undefined && messageId === undefined)
    throw invalid(index, 'message_id', 'or return_path must be given')
  if (status !== null && !STATUS.test(status)) throw invalid(index, 'status', 'must be such as 5.1.1')
  if (type === 'bounce') {
    const addresses = recipient === undefined ? [] : [recipient]
    const recipients = [{ addresses, action: 'failed', status, diagnostic }]
    return { returnPath, messageId, report: { kind: 'delivery', recipients } }
  }
  if (type !== 'complaint') throw invalid(index, 'type', 'must be bounce or complaint')
  const feedback = optionalText(sent.feedback_type, index, 'feedback_type') ?? 'abuse'
  return { returnPath, messageId, report: { kind: 'complaint', type: feedback, messageIds: [] } }
}

/** Reads all reports of a body before any is taken. @throws {Refusal} malformed */
const callbacksIn = (text: string): readonly Callback[] => {
  const body = parseJson(text) as JsonObject
  const reports = isJsonObject(body) ? body.reports : undefined
  if (!Array.isArray(reports)) throw refuse.malformed('reports must be a list', 'reports')
  if (reports.length > MOST_REPORTS) throw refuse.malformed(`reports may be at most ${MOST_REPORTS}`, 'reports')
  return (reports as readonly Json[]).map(callbackIn)
}

/**
 * Takes reports about mails from providers, by signed requests. What names no mail of ours is ignored. Answers 401 where the signature is missing, wrong or old,
 * before anything else happens.
 */
export const mailCallbacks = (service: CallbackService, withBody: WithBody) => {
  const { mailLinks, mailReportSecret: secret } = service
  const take = reportTaking(service)

  const deliveryOf = ({ returnPath, messageId }: Callback): number | undefined =>
    (returnPath === undefined ? undefined : mailLinks.deliveryOf(returnPath)) ??
    (messageId === undefined ? undefined : mailLinks.deliveryOfMessage(messageId))

  return async function mailCallback(ctx: ApiContext, next: Next): Promise<unknown> {
    if (ctx.path !== PATH || ctx.method !== 'POST' || secret === undefined) return next()
    ctx.state.operation = 'mail reports'
    const signed = signedIn(ctx)
    await withBody(ctx, MOST_BYTES, async (bytes) => {
      mustBeSigned(signed, secret, bytes)
      let taken = 0
      const callbacks = callbacksIn(utf8Text(bytes))
      for (const callback of callbacks) {
        const id = deliveryOf(callback)
        if (id !== undefined && (await take(id, callback.report))) taken++
      }
      ctx.status = 200
      ctx.body = { taken, ignored: callbacks.length - taken }
    })
    return undefined
  }
}
