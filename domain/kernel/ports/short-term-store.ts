import type { JsonObject } from '../values/event.ts'

/** Where a record of the short-term store is. Secrets are named by their digests, never by themselves. */
export interface ShortTermKey {
  /** What it is: a code, a token, a registration. */
  readonly kind: string
  readonly key: string
}

/** Record that is forgotten at its time. */
export interface ShortTermRecord {
  readonly data: JsonObject
  /** Time from which it is not there any more, milliseconds since 1970; `null`: it stays until it is removed. */
  readonly until: number | null
  /** What it is removed with. */
  readonly group?: string | undefined
  /** Second key by which it is found, unique within its kind. */
  readonly alias?: string | undefined
}

/**
 * Store of records that are not history: what was handed out and expires. All processes share it. It survives a kill; what expired in it is swept
 * away by and by. Every call sees what calls that ended before it have written.
 */
export interface ShortTermStore {
  /** Writes a record, in place of one with the same key. */
  put(where: ShortTermKey, record: ShortTermRecord): Promise<void>
  /** Writes a record unless one is there. @returns the data of the one that was there */
  putNew(where: ShortTermKey, record: ShortTermRecord, now: number): Promise<JsonObject | undefined>
  get(where: ShortTermKey, now: number): Promise<JsonObject | undefined>
  /** Finds a record by its second key. */
  getByAlias(where: ShortTermKey, now: number): Promise<JsonObject | undefined>
  /** Takes a record out. @returns its data to one of all that take it at the same moment */
  take(where: ShortTermKey, now: number): Promise<JsonObject | undefined>
  /** Removes all of a group, whatever they are. @returns how many there were */
  removeGroup(group: string): Promise<number>
  /** Removes at most so many that have expired. @returns how many there were */
  sweep(now: number, most: number): Promise<number>
}
