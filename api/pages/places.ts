import type { Secrets } from '../../domain/kernel/ports/secrets.ts'

export type Branch = 0 | 1

/** Places of a visitor in splits, the oldest first. */
export type Places = ReadonlyMap<number, Branch>

/** Cookie with the places of a visitor in all splits of a host. It names splits and branches, never an address. */
export interface PlacesCookie {
  /** Returns the places in the cookies of a request. What was not written here, and is not whole, is no place. */
  read(header: string | undefined, isSecure: boolean): Places
  /** Returns the value of `Set-Cookie`. The oldest places are dropped where there are too many. */
  write(places: Places, isSecure: boolean): string
}

const NAME = 'mr_splits'
const MOST_BYTES = 1000
const SIGNATURE_BYTES = 12
const YEAR_S = 365 * 24 * 60 * 60
const ENTRY = /^([0-9a-z]{1,11})([ab])$/

/** With TLS the name itself promises that the cookie belongs to this host alone. */
const nameFor = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME)

const cookieIn = (header: string, name: string): string | undefined =>
  header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const textOf = (places: Places): string =>
  [...places].map(([split, branch]) => `${split.toString(36)}${branch === 0 ? 'a' : 'b'}`).join('.')

const placesIn = (text: string): Places =>
  new Map(
    text.split('.').flatMap((entry): (readonly [number, Branch])[] => {
      const [, split, branch] = ENTRY.exec(entry) ?? []
      return split === undefined ? [] : [[Number.parseInt(split, 36), branch === 'a' ? 0 : 1]]
    }),
  )

/** Creates the cookie of places, signed with a secret of the installation. */
export const placesCookie = (secrets: Pick<Secrets, 'marks'>): PlacesCookie => {
  const marks = secrets.marks('pages', 'places', SIGNATURE_BYTES)
  return {
    read(header, isSecure) {
      const value = header === undefined ? undefined : cookieIn(header, nameFor(isSecure))
      if (value === undefined || value.length > MOST_BYTES) return new Map()
      const at = value.lastIndexOf('.')
      const text = value.slice(0, Math.max(0, at))
      return marks.fits(value.slice(at + 1), text) ? placesIn(text) : new Map()
    },
    write(places, isSecure) {
      const kept = new Map(places)
      const room = MOST_BYTES - 2 * SIGNATURE_BYTES - nameFor(isSecure).length
      for (const split of places.keys()) if (textOf(kept).length > room) kept.delete(split)
      const text = textOf(kept)
      const value = `${text}.${marks.textOf(text)}`
      const secure = isSecure ? '; Secure' : ''
      return `${nameFor(isSecure)}=${value}; Path=/; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax${secure}`
    },
  }
}
