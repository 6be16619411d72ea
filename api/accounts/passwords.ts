import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { Quota } from '../http/quota.ts'

export const LEAST_CHARACTERS = 10
export const MOST_BYTES = 1024

/** Cost of a digest: argon2id, as OWASP recommends. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const DIGEST_BYTES = 32
const SALT_BYTES = 16

/** Runs that wait, for each that runs; and how many of all may be of one address. */
const LINE = 16
const OF_ONE_ADDRESS = 8
const RETRY_S = 2

/** What computes digests. */
export interface Hasher {
  hash(password: string): Promise<string>
  verify(digest: string, password: string): Promise<boolean>
}

/** Passwords, checked and digested in a bounded queue. */
export interface Passwords {
  /** Returns whether a password is that of a digest. Without a digest none is, after the same work. @throws {Refusal} unavailable */
  isRight(password: string, digest: string | null | undefined, source: string): Promise<boolean>
  /** @throws {Refusal} unavailable, when too many wait */
  digestOf(password: string, source: string): Promise<string>
}

/** Returns what computes digests with a secret of the installation: a copy of the log alone does not let anybody guess passwords. */
export const argon2id = (secrets: Secrets): Hasher => {
  const secret = secrets.derive('accounts', 'passwords')
  return {
    hash: (password) => hash(password, { ...COST, secret, outputLen: DIGEST_BYTES }),
    async verify(digest, password) {
      const isKnown = isComputed(digest)
      return (await verify(isKnown ? digest : nobodys(), password, { secret })) && isKnown
    },
  }
}

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '')

/** Returns a digest of no password, which costs as much to check as any. */
const nobodys = (): string => {
  const { memoryCost, timeCost, parallelism } = COST
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(SALT_BYTES)}$${base64(DIGEST_BYTES)}`
}

const DIGEST = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$[A-Za-z\d+/]{11,86}\$[A-Za-z\d+/]{16,86}$/
/** How much more than a digest of today one from another version may cost. */
const MOST_TIMES = 4

/** Whether a digest is one that costs no more than a digest may. Another one is not from here: to compute it could take the memory of the machine. */
export const isComputed = (digest: string): boolean => {
  const [, memory, time, lanes] = DIGEST.exec(digest)?.map(Number) ?? []
  const { memoryCost, timeCost, parallelism } = COST
  return (
    memory !== undefined &&
    memory <= MOST_TIMES * memoryCost &&
    time! <= MOST_TIMES * timeCost &&
    lanes! <= MOST_TIMES * parallelism &&
    memory >= 8 * lanes! &&
    time! * lanes! > 0
  )
}

/** Returns a password as it is compared: keyboards write some letters in two ways. */
const comparable = (password: string): string => password.normalize('NFC')

/** Runs at most so many at once. Others wait, and too many are refused. */
class Turns {
  readonly #most: number
  readonly #quota: Quota<string>
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
    this.#quota = new Quota({ total: most * (1 + LINE), each: OF_ONE_ADDRESS })
  }

  /** @throws {Refusal} unavailable */
  async run<T>(source: string, work: () => Promise<T>): Promise<T> {
    if (this.#quota.take(source)) throw refuse.unavailable('too many passwords are being checked at once', RETRY_S)
    try {
      if (this.#running >= this.#most) await new Promise<void>((go) => this.#waiting.push(go))
      else this.#running++
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
      this.#quota.give(source)
    }
  }
}

/**
 * Creates the checks of passwords.
 *
 * @param atOnce runs at the same time. Default: one core stays free for requests, where there are several
 */
export const passwords = (hasher: Hasher, atOnce = Math.max(1, availableParallelism() - 1)): Passwords => {
  const turns = new Turns(atOnce)
  const nobody = nobodys()
  return {
    isRight: (password, digest, source) =>
      turns.run(source, async () => {
        const fits = await hasher.verify(digest ?? nobody, comparable(password))
        return fits && typeof digest === 'string'
      }),
    digestOf: (password, source) => turns.run(source, () => hasher.hash(comparable(password))),
  }
}

/** Returns whether a password has more bytes than one may have. */
export const isTooLong = (password: string): boolean => Buffer.byteLength(password) > MOST_BYTES

/** Returns whether a new password has fewer characters than one must have. */
export const isTooShort = (password: string): boolean => [...comparable(password)].length < LEAST_CHARACTERS
