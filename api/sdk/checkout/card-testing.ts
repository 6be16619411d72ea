import { LRUCache } from 'lru-cache'
import { COMPENSATED, COMPENSATING, COMPLETED, checkout } from '../../../domain/orders/public.ts'
import { countedAs } from '../../http/failed-attempts.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import { type CheckoutRecord, isCardRefused } from './status.ts'

/** Where attempts to pay come from. */
interface Source {
  readonly ip: string
  readonly sessionId: number
  readonly token: string
}

/** Attempts to pay whose cards were refused. Who tries out stolen cards has many; an office behind one address has few. */
export interface RefusedCards {
  /** Must be called before a checkout begins. @throws {SdkRefusal} too many requests, before the gateway is asked */
  check(source: Source): Promise<void>
  /** Remembers a checkout that began. Only one whose card is refused will count. */
  began(source: Source, checkoutId: number): void
}

const WINDOW_MS = 10 * 60_000
const MOST_OF_ONE = 10
const MOST_OF_PAGE = 50
/** Highest number of sources that are remembered. */
const MOST_SOURCES = 20_000
/** Attempts of a source that are remembered. A busy page has far more of them under way than may be refused. */
const MOST_ATTEMPTS = 2000

interface Attempt {
  readonly id: number
  readonly at: number
  /** Absent while its outcome is not known. */
  isRefused?: boolean
}

const keysOf = ({ ip, sessionId, token }: Source) =>
  [
    [`address ${countedAs(ip)}`, MOST_OF_ONE],
    [`session ${sessionId}`, MOST_OF_ONE],
    [`page ${token}`, MOST_OF_PAGE],
  ] as const

const isRefused = (found: CheckoutRecord): boolean | undefined => {
  if (found.status === COMPENSATED || found.status === COMPENSATING) return isCardRefused(found)
  return found.status === COMPLETED ? false : undefined
}

/** No limit. */
export const unlimited: RefusedCards = { check: async () => undefined, began: () => undefined }

/** Creates the limit of refused cards within ten minutes: ten of an address or a session, fifty of a page. Each process counts for itself. */
export const refusedCards = ({ live }: Pick<SdkService, 'live'>, now = () => Date.now()): RefusedCards => {
  const sources = new LRUCache<string, Attempt[]>({ max: MOST_SOURCES })
  /** Returns the attempts of a source within the window that were refused, or still may be. */
  const recent = async (key: string): Promise<readonly Attempt[]> => {
    const since = now() - WINDOW_MS
    const known = (sources.get(key) ?? []).filter(({ at, isRefused: is }) => at > since && is !== false)
    const open = known.filter((one) => one.isRefused === undefined)
    const documents =
      open.length === 0
        ? []
        : await live.getMany(
            checkout.name,
            open.map(({ id }) => id),
          )
    for (const [index, one] of open.entries()) {
      const document = documents[index] as CheckoutRecord | undefined
      const outcome = document && isRefused(document)
      if (outcome !== undefined) one.isRefused = outcome
    }
    const kept = known.filter((one) => one.isRefused !== false)
    sources.set(key, kept)
    return kept
  }
  return {
    async check(source) {
      for (const [key, most] of keysOf(source)) {
        const refused = (await recent(key)).filter((one) => one.isRefused)
        const first = refused.at(-most)
        if (!first) continue
        const seconds = Math.max(1, Math.ceil((first.at + WINDOW_MS - now()) / 1000))
        throw new SdkRefusal('too_many_requests', 'Too many cards were refused; try again later', seconds)
      }
    },
    began(source, id) {
      for (const [key] of keysOf(source))
        sources.set(key, [...(sources.get(key) ?? []), { id, at: now() }].slice(-MOST_ATTEMPTS))
    },
  }
}
