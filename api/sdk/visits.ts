import { ask } from '../../domain/kernel/decide/ask.ts'
import { isJsonObject, type JsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { type Arriving, session, sessions, type View, type ViewOfLoad } from '../../domain/visits/public.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { tokenBuckets } from '../http/token-buckets.ts'
import { browserOf } from '../http/user-agent.ts'
import { isRandom, type SdkCall, type SdkHandler, textIn } from './calls.ts'
import { SdkRefusal } from './refusal.ts'
import type { SdkService } from './service.ts'
import { campaignIn, sourceOf } from './source.ts'
import type { Visitors } from './visitor.ts'

const VIEW_OF_LOAD = /^([\w-]{22})\.(\d{1,7})$/
/** Views up to which a session's stream is searched for a repeated one. People do not look at more. */
const MOST_SEARCHED = 2000
/** Longest time after which a view is still reported; older ones count as this old. */
const OLDEST_MS = 30 * 60_000
const HIGHEST_NUMBER = 1_000_000
const LONGEST_QUERY = 4096

/** A view as the browser reports it. */
interface Reported {
  readonly id: string
  readonly load: string
  readonly number: number
  /** Last view of the load before it in its tab. */
  readonly after: ViewOfLoad | undefined
  readonly ageMs: number
  readonly search: string
  readonly referrer: string
}

const bad = (field: string, what: string) => new SdkRefusal('bad_request', `${field} must be ${what}`)

const randomIn = (body: JsonObject, name: string): string => {
  const value = body[name]
  if (typeof value !== 'string' || !isRandom(value)) throw bad(name, '22 characters of base64url')
  return value
}

const numberIn = (body: JsonObject, name: string, least: number): number => {
  const value = body[name]
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least)
    throw bad(name, `a number of at least ${least}`)
  return value
}

/** Returns a text that a visit can do without: what is too long is left out. */
const optionalIn = (body: JsonObject, name: string): string => {
  const value = body[name] ?? ''
  if (typeof value !== 'string') throw bad(name, 'a text')
  return value.length > LONGEST_QUERY ? '' : value
}

const viewOfLoadIn = (text: string): ViewOfLoad | undefined => {
  const [, load, number] = VIEW_OF_LOAD.exec(text) ?? []
  return load === undefined ? undefined : { load, number: Number(number) }
}

/** Returns the age of a view. One that is below nothing comes from a clock that was set back meanwhile: the view is as new as can be. */
const ageIn = ({ age_ms: age }: JsonObject): number => {
  if (typeof age !== 'number' || !Number.isFinite(age)) throw bad('age_ms', 'a number')
  return Math.min(Math.max(0, age), OLDEST_MS)
}

const reportedIn = ({ visit }: JsonObject): Reported => {
  if (!isJsonObject(visit)) throw bad('visit', 'an object')
  const number = numberIn(visit, 'number', 1)
  if (!Number.isInteger(number) || number > HIGHEST_NUMBER) throw bad('number', 'a whole number')
  return {
    id: randomIn(visit, 'id'),
    load: randomIn(visit, 'load'),
    number,
    after: viewOfLoadIn(optionalIn(visit, 'after')),
    ageMs: ageIn(visit),
    search: optionalIn(visit, 'search'),
    referrer: optionalIn(visit, 'referrer'),
  }
}

const consentIn = ({ consent }: JsonObject): boolean => {
  if (typeof consent !== 'boolean') throw bad('consent', 'true or false')
  return consent
}

/** Returns the view that a call reports. Its time is that of the receipt less its age, since the clocks of visitors may be wrong. */
const viewOf = ({ found, userAgent }: SdkCall, { id, load, number, ageMs }: Reported, consent: boolean, at: string) =>
  ({
    hit: id,
    load,
    number,
    page_id: found.page.id,
    funnel_id: found.step?.funnel.id ?? null,
    show_page_step_id: found.step?.id ?? null,
    live_mode: found.mode === 'live',
    bot: browserOf(userAgent).bot,
    consent,
    viewed_at: new Date(Date.parse(at) - ageMs).toISOString(),
  }) satisfies View

/**
 * Counts a view of a page, in the session that the call names or in a new one. A repeated call changes nothing, and gets the session of the first.
 *
 * @param perMinute calls for one page from one address; 0: no limit
 */
export const visits = (service: SdkService, visitors: Visitors, perMinute: number): SdkHandler => {
  const secondsUntilToken = tokenBuckets(perMinute)
  const isCountedIn = async (id: number, { load, number }: View): Promise<boolean> => {
    let searched = 0
    for await (const { type, data } of service.log.readStream(streamOf(sessions, id))) {
      if (++searched > MOST_SEARCHED) return false
      if (type === session.event.PageViewed.type && data.load === load && data.number === number) return true
    }
    return false
  }
  /** Counts a view in a session. @returns whether it belongs there */
  const record = async (call: SdkCall, id: number, wanted: Arriving): Promise<boolean> => {
    const result = await visitors.send(ask(sessions, id, 'view', wanted), call)
    if (!(result instanceof Refusal)) return true
    const codes = result.details.map(({ code }) => code)
    if (codes.includes('forgotten'))
      return (await isCountedIn(id, wanted.view)) || record(call, id, { ...wanted, isNew: true })
    if (result.kind === 'notFound' || codes.includes('over')) return false
    throw result
  }
  return async (call) => {
    const { found, body, ip } = call
    const reported = reportedIn(body)
    const consent = consentIn(body)
    const visitor = body.visitor === undefined ? null : randomIn(body, 'visitor')
    if (found.mode === 'preview') return {}
    const seconds = secondsUntilToken(`${countedAs(ip)} ${textIn(body, 'token', 100)}`)
    if (seconds > 0) throw new SdkRefusal('too_many_requests', 'Too many visits from this address', seconds)
    const view = viewOf(call, reported, consent, visitors.at(found))
    const known = visitors.idIn(body.session, found)
    const { after } = reported
    const campaign = campaignIn(reported.search)
    const landing = { landing_page: found.url, ...campaign }
    if (known !== undefined && (await record(call, known, { view, landing, ...(after && { after }) }))) return {}
    const source = await sourceOf(reported.referrer, found, service)
    // Those before it in its load may have arrived in a session that is over.
    const isFirst = known === undefined
    const once = `hit:${view.hit}`
    const id = await visitors.begin({ ...call, ...source, visitor, consent, campaign, view, isFirst, once })
    return { session: visitors.secretOf(id, found) }
  }
}
