import { randomBytes, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import type { Outcome, Repeated } from '../../domain/kernel/engine/transaction.ts'
import type { ClaimToTake } from '../../domain/kernel/ports/event-log.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { isOver, type Session, session, sessions, type View } from '../../domain/visits/public.ts'
import { browserOf } from '../http/user-agent.ts'
import { type Signed, signedTexts } from '../signed-texts.ts'
import type { FoundPage } from './page-of.ts'
import { SdkRefusal } from './refusal.ts'
import type { SdkService } from './service.ts'
import { campaignIn } from './source.ts'

/** What names a session in the hands of its visitor. */
type Secret = {
  readonly s: number
  readonly w: number
  readonly r: string
  /** Sessions of others that the browser has left for this one. */
  readonly l?: readonly number[]
}

/** Page and request that a command comes from. */
export interface Sender {
  readonly found: FoundPage
  readonly requestId: string
}

/** A visitor who arrives. */
export interface Arrival extends Sender {
  readonly ip: string
  readonly userAgent: string
  readonly visitor: string | null
  readonly consent: boolean
  readonly campaign: Readonly<Record<string, string | null>>
  readonly referrer: string | null
  readonly referring_domain: string | null
  readonly view: View | undefined
  /** Whether the browser has no earlier session. */
  readonly isFirst?: boolean
  /** Claim on the request, so that a repeat begins no other session. */
  readonly once: string
}

/** Sessions of visitors, as the calls of pages use them. */
export interface Visitors {
  /** Returns the id of the session that a secret names in the workspace of a page; `undefined` for any other text. */
  idIn(secret: unknown, found: Pick<FoundPage, 'workspaceId'>): number | undefined
  /** Returns a secret of a session. @param left sessions of others that the browser has left for it */
  secretOf(id: number, found: FoundPage, left?: readonly number[]): string
  /** Returns the sessions that the browser with a secret has left for a session, or leaves with it. */
  leftFor(id: number, secret: unknown, found: Pick<FoundPage, 'workspaceId'>): readonly number[]
  /** Returns a session that has not been erased. */
  recordOf(id: number): Promise<Session | undefined>
  /** Returns a session that is not over at this time. */
  current(id: number | undefined, found: FoundPage): Promise<Session | undefined>
  /** Begins a session, once for its claim. @returns its id */
  begin(arrival: Arrival): Promise<number>
  /** Carries out a command from a page. @param once claim by which a repeat is known */
  send(asked: Ask, sender: Sender, once?: ClaimToTake): Promise<Outcome | Repeated | Refusal>
  /** Time by the clock of the page's workspace; ISO 8601. */
  at(found: FoundPage): string
}

const LONGEST_SECRET = 300
/** Secrets whose signatures are not verified again. Each takes some 300 bytes. */
const VERIFIED = 20_000
/** People who share a computer within the half hour that a session lasts. */
const MOST_LEFT = 4
const ACTOR = { label: 'visitor' }

/** Reads the secrets of sessions. The installation signs them, so nothing is looked up to verify one. */
const secretsOf = (signed: Signed<Secret>): Pick<Visitors, 'idIn' | 'secretOf' | 'leftFor'> => {
  const verified = new LRUCache<string, Secret>({ max: VERIFIED })
  const read = (secret: unknown, { workspaceId }: Pick<FoundPage, 'workspaceId'>): Secret | undefined => {
    if (typeof secret !== 'string' || secret.length > LONGEST_SECRET) return undefined
    const known = verified.get(secret)
    const named = known ?? signed.verify(secret)
    if (!named) return undefined
    if (!known) verified.set(secret, named)
    return named.w === workspaceId ? named : undefined
  }
  return {
    idIn: (secret, found) => read(secret, found)?.s,
    secretOf: (s, { workspaceId: w }, left = []) =>
      signed.sign({ s, w, r: randomBytes(12).toString('base64url'), ...(left.length > 0 && { l: left }) }),
    leftFor(id, secret, found) {
      const { s = id, l = [] } = read(secret, found) ?? {}
      return (s === id ? l : [...l, s]).slice(-MOST_LEFT)
    },
  }
}

/** Creates the reading and writing of the secrets of sessions. */
export const sessionSecrets = (secrets: SdkService['secrets']) => secretsOf(signedTexts<Secret>(secrets, 'sessions'))

/** Attributes of a session that begins with an arrival. Without consent, nothing that tells one visitor from another is kept. */
const attributesOf = (arrival: Arrival) => {
  const { found, visitor, consent, ip, userAgent, campaign, referrer, referring_domain, view, isFirst } = arrival
  const { bot, ...browser } = browserOf(userAgent)
  return {
    uuid: randomUUID(),
    visitor: consent ? visitor : null,
    page_id: found.page.id,
    funnel_id: found.step?.funnel.id ?? null,
    show_page_step_id: found.step?.id ?? null,
    live_mode: found.mode === 'live',
    consent,
    bot,
    landing_page: found.url,
    referring_domain,
    ...campaign,
    ...browser,
    ...(consent ? { ip, user_agent: userAgent, referrer } : { ip: null, user_agent: null, referrer: null }),
    ...(view && { view, isFirst }),
  }
}

/** Creates the access to the sessions of visitors. */
export const visitorsOf = (service: SdkService): Visitors => {
  const { engine, ids, now, secrets } = service
  const carryOut = desk({ engine, ids })
  const at = ({ workspaceId }: FoundPage) => new Date(now(workspaceId)).toISOString()
  const send: Visitors['send'] = (asked, { found, requestId: cause }, once) => {
    const { teamId, workspaceId } = found
    return carryOut({ actor: ACTOR, at: at(found), cause, teamId, workspaceId }, asked, once && { claim: once })
  }
  const recordOf: Visitors['recordOf'] = async (id) => {
    const found = (await engine.records(sessions, id, -1)).root(session)
    return found?.erased ? undefined : found
  }
  return {
    ...sessionSecrets(secrets),
    at,
    send,
    recordOf,
    async current(id, found) {
      const record = id === undefined ? undefined : await recordOf(id)
      return record && !isOver(record, at(found)) ? record : undefined
    },
    begin: (arrival) =>
      withIds(ids, async () => {
        const id = ids.next(session.name)
        const { found, once } = arrival
        const claim = { key: `session:${found.workspaceId}:${once}` }
        const result = await send(ask(sessions, id, 'begin', attributesOf(arrival), { isNew: true }), arrival, claim)
        if (result instanceof Refusal) throw result
        return 'repeatOf' in result ? parseStream(result.repeatOf.stream).id : id
      }),
  }
}

/**
 * Begins a session for a call that was sent without one, as where a blocker holds back every visit: its visitor is nobody until they say who they are.
 *
 * @param once a random text of the browser: repeats of the call have the same session, and so is nobody charged twice
 */
export const beginUnseen = async (
  visitors: Visitors,
  call: Sender & Pick<Arrival, 'ip' | 'userAgent'>,
  once: string,
): Promise<Session> => {
  const nobody = { visitor: null, consent: false, referrer: null, referring_domain: null, view: undefined }
  const record = await visitors.recordOf(await visitors.begin({ ...call, ...nobody, campaign: campaignIn(''), once }))
  if (!record) throw new SdkRefusal('session_invalid', 'The session has been erased')
  return record
}

/** Returns the session that a call names. @throws {SdkRefusal} when it names none, or one that is over */
export const sessionOf = async (visitors: Visitors, secret: unknown, found: FoundPage): Promise<Session> => {
  const record = await visitors.current(visitors.idIn(secret, found), found)
  if (!record) throw new SdkRefusal('session_invalid', 'There is no such session, or it is over')
  return record
}
