import type { Random } from '../../support/random.ts'
import { startWordSmtp } from '../../support/servers/word-smtp.ts'

/** What the server does with an address, and how many of a thousand it does it with. The rest it takes. */
const HABITS = {
  /** 550 5.1.1 to the recipient. */
  unknown: 30,
  /** 550 5.7.1 to the whole mail. */
  policy: 20,
  /** 451 to the recipient, twice. */
  later: 30,
  /** 452 to the whole mail, once. */
  full: 10,
  /** 451 to the recipient, always. */
  never: 5,
  /** Closes the connection when the recipient is named, once. */
  drops: 10,
  /** Closes the connection before the text, once. */
  cuts: 10,
  /** Closes the connection whenever the recipient is named. */
  refuses: 3,
  /** 451 to the recipient, and closes the connection, always. */
  hangs: 5,
  /** 421 to the recipient, twice. */
  crowded: 3,
  /** 421 to the recipient, always. */
  busy: 3,
  /** Says nothing to the recipient. */
  silent: 3,
  /** Takes the whole mail and says nothing. */
  stalls: 5,
  /** Takes the whole mail and closes the connection. */
  vanishes: 10,
} as const

export type Habit = keyof typeof HABITS | 'takes'

export const HABIT_NAMES = Object.keys(HABITS) as readonly (keyof typeof HABITS)[]

/** Habits that cost the client a long wait, each for itself. */
const SLOW: readonly string[] = ['silent', 'stalls', 'crowded', 'busy']

/** Draws a habit. @param waits share of the slow habits in place of the usual one */
const draw = (chance: Random, waits: number): Habit => {
  let drawn = chance.below(1000)
  for (const name of HABIT_NAMES) {
    drawn -= SLOW.includes(name) ? HABITS[name] * waits : HABITS[name]
    if (drawn < 0) return name
  }
  return 'takes'
}

/** What the server has seen of an address. */
export interface Seen {
  readonly habit: Habit
  /** How often it was named as recipient. */
  named: number
  /** Mails that the server took, and said so. */
  taken: number
  /** Mails that it has whole, without having answered. */
  unanswered: number
}

/**
 * Starts an SMTP server that refuses, defers, stalls, drops connections and keeps silent, each by the habit of the address.
 *
 * @param waits how many of the habits that cost the client a long wait there are, as a share of the usual number
 */
export const startHostileSmtp = async (addresses: readonly string[], chance: Random, waits = 1) => {
  const all = new Map<string, Seen>(
    addresses.map((address, index) => {
      // Each habit at least once, however few addresses there are.
      const habit = HABIT_NAMES[index] ?? draw(chance, waits)
      return [address, { habit, named: 0, taken: 0, unanswered: 0 }]
    }),
  )
  const current = new Map<number, Seen>()
  let isLocked = false
  let taken = 0
  let heard = 0

  const toRecipient = (one: Seen): string | undefined => {
    one.named++
    if (one.habit === 'unknown') return '550 5.1.1 nobody here'
    if (one.habit === 'never' || (one.habit === 'later' && one.named <= 2)) return '451 4.2.0 later'
    if (one.habit === 'hangs') return '451 4.2.0 later|close'
    if (one.habit === 'busy' || (one.habit === 'crowded' && one.named <= 2)) return '421 4.3.2 too busy|close'
    if (one.habit === 'refuses' || (one.habit === 'drops' && one.named === 1)) return 'close'
    return one.habit === 'silent' ? 'silence' : undefined
  }
  const toMail = (one: Seen): string | undefined => {
    if (one.habit === 'policy') return '550 5.7.1 not this'
    if (one.habit === 'full' && one.named === 1) return '452 4.3.1 full'
    if (one.habit === 'stalls' || one.habit === 'vanishes') {
      one.unanswered++
      return one.habit === 'stalls' ? 'silence' : 'close'
    }
    one.taken++
    taken++
    return undefined
  }
  const server = await startWordSmtp(
    (line, connection) => {
      heard++
      if (line.startsWith('AUTH')) return isLocked ? '535 5.7.8 wrong password' : '235 2.7.0 fine'
      const named = /^RCPT TO:<([^>]+)>/.exec(line)?.[1]
      if (named !== undefined) {
        const one = all.get(named)
        if (!one) throw new Error(`nobody is to be mailed at ${named}`)
        current.set(connection, one)
        return toRecipient(one)
      }
      const one = current.get(connection)
      if (line === 'DATA' && one?.habit === 'cuts' && one.named === 1) return 'close'
      return line === '.' && one ? toMail(one) : undefined
    },
    { keeps: false },
  )
  return {
    stop: server.stop,
    url: server.url.replace('//', '//shop:secret@'),
    seen: (address: string) => all.get(address)!,
    /** Mails that it took. */
    get taken() {
      return taken
    },
    /** Words that it heard. */
    get heard() {
      return heard
    },
    /** Refuses the log-in, or takes it again. */
    lock(locked: boolean) {
      isLocked = locked
      if (locked) server.hangUp()
    },
  }
}
