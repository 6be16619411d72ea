import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import type { Database } from '../sqlite/binding.ts'
import { Statements } from '../sqlite/statements.ts'
import type { KeyHalves } from '../vault/key-halves.ts'
import type { KeyStore } from '../vault/key-store.ts'
import type { KeyWrite } from './batch.ts'
import type { GroupCommit } from './group-commit.ts'

/** Key as it is, or will be, in the table. */
type KeyEntry = Omit<KeyWrite, 'kind'>

/** Subjects beyond which none has a key. */
interface SubjectBounds {
  readonly least: number
  readonly greatest: number
}

type KeyRow = readonly [slot: number | null, half: Uint8Array | null]

/** Reads keys. Each consists of a half in its row and a half in a separate file (see key-halves.ts). */
export class SqliteKeys {
  readonly #statements: Statements
  readonly #halves: KeyHalves

  constructor(db: Database, halves: KeyHalves) {
    this.#statements = new Statements(db)
    this.#halves = halves
  }

  /** Returns the least and the greatest subject that has, or had, a key; -1 for both when there is none. */
  bounds(): SubjectBounds {
    const text = 'SELECT (SELECT min(subject) FROM key), (SELECT max(subject) FROM key)'
    const [least, greatest]: readonly [number | null, number | null] = this.#statements.of(text).get()
    return { least: least ?? -1, greatest: greatest ?? -1 }
  }

  kept(subject: number): KeyEntry | undefined {
    const text = 'SELECT slot, half FROM key WHERE subject = ?'
    const row: KeyRow | undefined = this.#statements.of(text).get(subject)
    return row && { subject, slot: row[0], half: row[1] }
  }

  get(subject: number): Uint8Array | 'destroyed' | undefined {
    const entry = this.kept(subject)
    return entry && this.whole(entry)
  }

  /** Joins the halves of a key. A blank half means destroyed too: a backup may hold the row from before and the half from after an erasure. */
  whole({ slot, half }: KeyEntry): Uint8Array | 'destroyed' {
    if (slot === null || half === null) return 'destroyed'
    const other = this.#halves.half(slot)
    return this.#halves.isBlank(slot) ? 'destroyed' : exclusiveOr(half, other)
  }
}

/**
 * Keys in a table beside the log. A new key rides with the batch that holds the next append, so that an event on disk has its key on disk without
 * a separate flush. Where the log is elsewhere, the key is on disk before anything is sealed under it.
 */
export class SqliteKeyStore implements KeyStore {
  readonly #keys: SqliteKeys
  readonly #commit: GroupCommit
  readonly #halves: KeyHalves
  readonly #isApart: boolean
  /** They save look-ups: most subjects are new, and their numbers count up, or down for sessions of visitors. */
  #bounds: SubjectBounds

  /** @param isApart whether the log is elsewhere */
  constructor(keys: SqliteKeys, commit: GroupCommit, halves: KeyHalves, isApart: boolean) {
    this.#keys = keys
    this.#commit = commit
    this.#halves = halves
    this.#isApart = isApart
    this.#bounds = keys.bounds()
  }

  get(subject: number): MaybePromise<Uint8Array | 'destroyed' | undefined> {
    if (subject > this.#bounds.greatest || subject < this.#bounds.least) return undefined
    const riding = this.#riding(subject)
    return riding ? this.#durable(this.#keys.whole(riding)) : this.#keys.get(subject)
  }

  keep(subject: number, first: () => Uint8Array): MaybePromise<Uint8Array | 'destroyed'> {
    return mapMaybe(this.get(subject), (present) => present ?? this.#create(subject, first()))
  }

  #create(subject: number, wrapped: Uint8Array): MaybePromise<Uint8Array> {
    const slot = this.#halves.take()
    this.#note(subject)
    const half = exclusiveOr(wrapped, this.#halves.half(slot))
    this.#commit.ride(`key ${subject}`, { kind: 'key', subject, slot, half })
    return this.#durable(wrapped)
  }

  /** Keeps the number of the slot, so that a retry, or the next start, completes an erasure that a crash has interrupted. */
  async destroy(subject: number): Promise<void> {
    this.#note(subject)
    const { slot } = this.#riding(subject) ?? this.#keys.kept(subject) ?? { slot: null }
    this.#commit.ride(`key ${subject}`, { kind: 'key', subject, slot, half: null })
    await this.#commit.flush()
    if (slot !== null) await this.#halves.erase(slot)
  }

  #note(subject: number): void {
    const { least, greatest } = this.#bounds
    this.#bounds = { least: Math.min(least, subject), greatest: Math.max(greatest, subject) }
  }

  #riding(subject: number): KeyEntry | undefined {
    const write = this.#commit.riding(`key ${subject}`)
    return write?.kind === 'key' ? write : undefined
  }

  #durable<T>(key: T): MaybePromise<T> {
    return this.#isApart ? this.#commit.flush().then(() => key) : key
  }
}

/** Yields destroyed keys whose halves still exist: a crash came between, or the file of halves is an older one. */
export function* unfinishedErasures(db: Database, halves: KeyHalves): Generator<{ subject: number; slot: number }> {
  const destroyed = db.prepare('SELECT subject, slot FROM key WHERE half IS NULL AND slot IS NOT NULL').all()
  for (const key of destroyed as { subject: number; slot: number }[]) if (!halves.isBlank(key.slot)) yield key
}

/** Combines the half with the end of the key that is as long. A key that was wrapped with a check has a longer front, which reveals nothing of it. */
const exclusiveOr = (key: Uint8Array, half: Uint8Array): Buffer => {
  const result = Buffer.from(key)
  const from = result.length - half.length
  for (let i = 0; i < half.length; i++) result[from + i]! ^= half[i]!
  return result
}
