import zones from 'rails-timezone'
import { Type } from 'typebox'
import { type Field, type FieldValue, field, type Options, problem } from '../../kernel/model/field.ts'
import type { JsonObject } from '../../kernel/values/event.ts'

/** Human-readable zone names that clients of this API use, from west to east. */
const NAMES: ReadonlySet<string> = new Set(
  `International Date Line West, Midway Island, American Samoa, Hawaii, Alaska, Pacific Time (US & Canada), Tijuana,
  Mountain Time (US & Canada), Arizona, Chihuahua, Mazatlan, Central Time (US & Canada), Saskatchewan, Guadalajara,
  Mexico City, Monterrey, Central America, Eastern Time (US & Canada), Indiana (East), Bogota, Lima, Quito,
  Atlantic Time (Canada), Caracas, La Paz, Santiago, Newfoundland, Brasilia, Buenos Aires, Montevideo, Georgetown,
  Puerto Rico, Greenland, Mid-Atlantic, Azores, Cape Verde Is., Dublin, Edinburgh, Lisbon, London, Casablanca, Monrovia,
  UTC, Belgrade, Bratislava, Budapest, Ljubljana, Prague, Sarajevo, Skopje, Warsaw, Zagreb, Brussels, Copenhagen, Madrid,
  Paris, Amsterdam, Berlin, Bern, Zurich, Rome, Stockholm, Vienna, West Central Africa, Bucharest, Cairo, Helsinki, Kyiv,
  Riga, Sofia, Tallinn, Vilnius, Athens, Istanbul, Minsk, Jerusalem, Harare, Pretoria, Kaliningrad, Moscow,
  St. Petersburg, Volgograd, Samara, Kuwait, Riyadh, Nairobi, Baghdad, Tehran, Abu Dhabi, Muscat, Baku, Tbilisi, Yerevan,
  Kabul, Ekaterinburg, Islamabad, Karachi, Tashkent, Chennai, Kolkata, Mumbai, New Delhi, Kathmandu, Astana, Dhaka,
  Sri Jayawardenepura, Almaty, Novosibirsk, Rangoon, Bangkok, Hanoi, Jakarta, Krasnoyarsk, Beijing, Chongqing, Hong Kong,
  Urumqi, Kuala Lumpur, Singapore, Taipei, Perth, Irkutsk, Ulaanbaatar, Seoul, Osaka, Sapporo, Tokyo, Yakutsk, Darwin,
  Adelaide, Canberra, Melbourne, Sydney, Brisbane, Hobart, Vladivostok, Guam, Port Moresby, Magadan, Srednekolymsk,
  Solomon Is., New Caledonia, Fiji, Kamchatka, Marshall Is., Auckland, Wellington, Nuku'alofa, Tokelau Is., Chatham Is.,
  Samoa`.split(/,\s+/),
)

/** Longest name of a zone that is looked up; the longest there is has 32 characters. */
const LONGEST = 64

/** Returns whether a text names a zone of the tz database, such as `America/New_York`. Offsets such as `+02:00` do not. */
const isInDatabase = (name: string): boolean => {
  if (name.length > LONGEST || !/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Declares a time zone by its human-readable name or its name in the tz database, stored as sent. An empty text becomes `null`. */
export const timeZone = <const O extends Options = Options>(options: O = {} as O): Field<FieldValue<string, O>> =>
  field(Type.String({ maxLength: 255 }), { about: 'Human-readable zone name', ...options }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    if (value === '') return { value: null }
    return NAMES.has(value) || isInDatabase(value) ? { value } : problem('is not a known time zone', 'inclusion')
  })

/** Declares a time zone by its name in the tz database, stored as sent. */
export const zoneId = <const O extends Options = Options>(options: O = {} as O): Field<FieldValue<string, O>> =>
  field(Type.String({ maxLength: 255 }), options, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    return isInDatabase(value) ? { value } : problem('is not a zone of the tz database', 'inclusion')
  })

/** Offsets of a zone on two days of each month of two years, by which zones with the same clock are told. */
const clockOf = (zone: string): string => {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const offsets = Array.from({ length: 48 }, (_, half) => {
    const moment = Date.UTC(2026, Math.trunc(half / 2), half % 2 === 0 ? 1 : 15)
    return format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value
  })
  return offsets.join()
}

let namesByClock: ReadonlyMap<string, string> | undefined

/** Returns the human-readable name of a zone of the tz database, or the first of those with the same clock; `undefined` for a clock without a name. */
const nameOfZone = (zone: string): string | undefined => {
  const own = [...NAMES].find((name) => zones.from(name) === zone)
  if (own !== undefined) return own
  namesByClock ??= new Map([...NAMES].reverse().map((name) => [clockOf(zones.from(name)), name]))
  return namesByClock.get(clockOf(zone))
}

/** Declares a time zone that is stored by its human-readable name, also if it is sent by its name in the tz database. One without such a name keeps that. */
export const namedTimeZone = <const O extends Options = Options>(
  options: O = {} as O,
): Field<FieldValue<string, O>> => {
  const zone = timeZone(options)
  return {
    ...zone,
    parse(value, context) {
      const parsed = zone.parse(value, context)
      if ('problem' in parsed || typeof parsed.value !== 'string' || NAMES.has(parsed.value)) return parsed
      return { value: nameOfZone(parsed.value) ?? parsed.value }
    },
  }
}

/** Returns the zone of the tz database for a human-readable or tz name; UTC for none. */
export const zoneOf = (name: string | null | undefined): string =>
  !name ? 'UTC' : NAMES.has(name) ? zones.from(name) : name

/** Returns the zone of the tz database in which a workspace counts days and months. */
export const zoneOfWorkspace = (workspace: JsonObject | undefined): string =>
  zoneOf(typeof workspace?.time_zone === 'string' ? workspace.time_zone : null)
