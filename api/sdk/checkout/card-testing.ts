import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { readEverywhere } from '../../../domain/kernel/decide/rules.ts'
import { keyedQueues } from '../../../domain/kernel/engine/keyed-queues.ts'
import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import { inStretches, readOn } from '../../../domain/kernel/ports/read-on.ts'
import { BANK, checkout, RUNNING } from '../../../domain/orders/public.ts'
import { countedAs } from '../../http/failed-attempts.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import { type CheckoutRecord, isCardRefused, OF_CARD } from './status.ts'

/** Where an attempt to pay comes from, and when. */
interface Source {
  readonly ip: string
  readonly sessionId: number
  readonly pageId: number
  readonly at: string
}

/** Attempts to pay whose cards were refused. Who tries out stolen cards has many; an office behind one address has few. */
export interface RefusedCards {
  /**
   * Begins a checkout, unless too many cards of its source were refused. While so many of it are under way that they could be refused together,
   * it waits.
   *
   * @param begin begins it, with what its record holds of the source, and returns its id
   * @throws {SdkRefusal} too many requests, before the gateway is asked
   */
  guard(
    source: Source,
    begin: (triedFrom: readonly string[]) => Promise<number | undefined>,
  ): Promise<number | undefined>
}

const WINDOW_MS = 10 * 60_000
const MOST_OF_ONE = 10
const MOST_OF_PAGE = 50
/** Highest number of sources whose attempts this process remembers until they can be read. */
const MOST_SOURCES = 20_000
/** Attempts that are read at once, and the highest number that is counted. */
const MOST_READ = 500
/** A charge without an outcome after this time is in doubt, and no trial of a card any more. */
const UNDER_WAY_MS = 30_000
const LOOK_MS = 50
const PATIENCE_MS = 5000

/** Attempt of this process that may not be readable yet. */
interface Trial {
  readonly since: number
  /** Absent until its checkout has begun. */
  id?: number
}

interface Key {
  /** Names by which records of this window and the one before are found. */
  readonly names: readonly [string, string]
  readonly name: string
  readonly most: number
  /** Whether attempts under way count, too. A busy page has hundreds of them. */
  readonly countsUnderWay: boolean
}

/** No limit. */
export const unlimited: RefusedCards = { guard: (_, begin) => begin([]) }

const tooMany = (message: string, seconds: number) => new SdkRefusal('too_many_requests', message, seconds)

/**
 * Returns the keys by which attempts are counted. Records hold keyed digests that change with each window, so nothing about an address is kept, and
 * attempts of different windows cannot be told to come from one.
 */
const keysOf = ({ vault }: Pick<SdkService, 'vault'>, { ip, sessionId, pageId, at }: Source): readonly Key[] => {
  const window = Math.floor(Date.parse(at) / WINDOW_MS)
  const keyOf = (name: string, most: number, countsUnderWay: boolean): Key => {
    const nameIn = (number: number) => vault.token('attempt to pay', `${number} ${name}`)
    return { name, most, countsUnderWay, names: [nameIn(window), nameIn(window - 1)] }
  }
  return [
    keyOf(`address ${countedAs(ip)}`, MOST_OF_ONE, true),
    keyOf(`session ${sessionId}`, MOST_OF_ONE, true),
    keyOf(`page ${pageId}`, MOST_OF_PAGE, false),
  ]
}

type Deps = Pick<SdkService, 'everywhere' | 'vault'>

/** Reads how many attempts of a key are refused or under way, in all processes. */
const attemptsIn = ({ everywhere: live }: Pick<SdkService, 'everywhere'>) => {
  const readBy = (
    { names }: Key,
    { at, ms, ...where }: Where & { readonly at: string; readonly ms: number },
    isCounted: (one: CheckoutRecord) => boolean = () => true,
  ): Promise<readonly CheckoutRecord[]> => {
    const since = new Date(Date.parse(at) - ms).toISOString()
    const query = { where: { tried_from: { $in: names }, created_at: { $gt: since }, ...where }, limit: MOST_READ }
    const found = inStretches((next) => readEverywhere(live).find(checkout, next), query)
    return readOn(found, MOST_READ, (some) => some.filter(isCounted))
  }
  return {
    /** Times of the attempts whose cards were refused, the oldest first. */
    async refused(key: Key, at: string): Promise<readonly string[]> {
      const found = await readBy(key, { failed: { $in: [...OF_CARD] }, at, ms: WINDOW_MS }, isCardRefused)
      return found.map(({ created_at }) => created_at).toSorted()
    },
    /** Number of attempts that have not been answered. Whom a bank asks has a good card. */
    async underWay(key: Key, at: string): Promise<number> {
      return (await readBy(key, { status: RUNNING, step: { $ne: BANK }, at, ms: UNDER_WAY_MS })).length
    },
  }
}

/** Attempts of this process that cannot be read yet, by the name of their key. */
const trialsOf = ({ everywhere: live }: Pick<SdkService, 'everywhere'>) => {
  const trials = new LRUCache<string, Set<Trial>>({ max: MOST_SOURCES })
  return {
    add(name: string, trial: Trial) {
      trials.set(name, (trials.get(name) ?? new Set()).add(trial))
    },
    drop(name: string, trial: Trial) {
      trials.get(name)?.delete(trial)
    },
    /** Forgets those that can be read by now, or are in doubt. */
    async settle(name: string): Promise<void> {
      const begun = [...(trials.get(name) ?? [])].filter(({ id }) => id !== undefined)
      if (begun.length === 0) return
      const found = await live.getMany(
        checkout.name,
        begun.map(({ id = 0 }) => id),
      )
      const since = performance.now() - UNDER_WAY_MS
      for (const [index, one] of begun.entries()) if (found[index] || one.since < since) trials.get(name)?.delete(one)
    },
    count: (name: string) => trials.get(name)?.size ?? 0,
  }
}

/** Creates the limit of refused cards within ten minutes: ten of an address or a session, fifty of a page, over all processes. */
export const refusedCards = (service: Deps, patienceMs = PATIENCE_MS): RefusedCards => {
  const attempts = attemptsIn(service)
  const trials = trialsOf(service)
  const inTurn = keyedQueues()
  /** Returns whether there is room for one more attempt. @throws {SdkRefusal} where too many were refused */
  const hasRoom = async (keys: readonly Key[], at: string): Promise<boolean> => {
    const counted = await Promise.all(
      keys.map(async (key) => {
        if (key.countsUnderWay) await trials.settle(key.name)
        const [refused, open] = await Promise.all([
          attempts.refused(key, at),
          key.countsUnderWay ? attempts.underWay(key, at) : 0,
        ])
        return { key, refused, open }
      }),
    )
    for (const { key, refused } of counted) {
      const first = refused.at(-key.most)
      if (!first) continue
      const seconds = Math.max(1, Math.ceil((Date.parse(first) + WINDOW_MS - Date.parse(at)) / 1000))
      throw tooMany('Too many cards were refused; try again later', seconds)
    }
    // Nothing is awaited from here to the entry of the trial, so that no two take the same room.
    return counted.every(
      ({ key, refused, open }) => !key.countsUnderWay || refused.length + open + trials.count(key.name) < key.most,
    )
  }
  return {
    async guard(source, begin) {
      const keys = keysOf(service, source)
      const names = keys.filter(({ countsUnderWay }) => countsUnderWay).map(({ name }) => name)
      const until = performance.now() + patienceMs
      const trial: Trial = { since: performance.now() }
      await inTurn(names[0] ?? '', async () => {
        for (;;) {
          if (performance.now() > until) throw tooMany('Too many payments are being made from here; try again', 2)
          if (await hasRoom(keys, source.at)) break
          await sleep(LOOK_MS)
        }
        for (const name of names) trials.add(name, trial)
      })
      try {
        const id = await begin(keys.map(({ names: [current] }) => current))
        if (id !== undefined) trial.id = id
        return id
      } finally {
        if (trial.id === undefined) for (const name of names) trials.drop(name, trial)
      }
    },
  }
}
