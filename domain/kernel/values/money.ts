/** ISO 4217 currencies whose smallest unit is not a hundredth. */
const SCALES: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
}

/** Currencies that do not have two decimal places. */
export const UNUSUAL: readonly string[] = Object.keys(SCALES)

/** Returns the number of decimal places of a currency (ISO 4217); 2 for unknown ones. */
export const scaleOf = (currency: string): number => SCALES[currency] ?? 2

/** Converts a decimal amount such as `12.5` to units of `scale` decimal places. Returns `undefined` if it is not a decimal number or has more places. */
export const toUnits = (amount: string | number, scale: number): bigint | undefined => {
  const match = /^([+-]?)(\d{1,15})(?:\.(\d+))?$/.exec(String(amount).trim())
  if (!match) return undefined
  const fraction = (match[3] ?? '').replace(/(?<!0)0+$/, '')
  if (fraction.length > scale) return undefined
  const units = BigInt(match[2]! + fraction.padEnd(scale, '0'))
  return match[1] === '-' ? -units : units
}

/** Converts a decimal amount such as `12.5` to minor units. Returns `undefined` if it is not a decimal number or has more places than the currency. */
export const toMinor = (amount: string | number, currency: string): bigint | undefined =>
  toUnits(amount, scaleOf(currency))

/**
 * Converts a stored amount to minor units.
 *
 * @throws {RangeError} for anything but an amount of the currency: what cannot be read is never taken for nothing
 */
export const minorOf = (amount: string | number, currency: string): bigint => {
  const minor = toMinor(amount, currency)
  if (minor === undefined) throw new RangeError(`${amount} is not an amount in ${currency}`)
  return minor
}

/** Whole units of a currency that no amount reaches, entered or summed up. */
export const AMOUNT_LIMIT = 1_000_000_000_000

/** Tells whether minor units stay below `AMOUNT_LIMIT`, above or below zero. */
export const isWithinLimit = (minor: bigint, currency: string): boolean =>
  (minor < 0n ? -minor : minor) < BigInt(AMOUNT_LIMIT) * 10n ** BigInt(scaleOf(currency))

/** Returns units of `scale` decimal places as a decimal string: 1250, 2 → `12.50`. */
export const fromUnits = (units: bigint, scale: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Returns minor units as a decimal string with the currency's scale: 1250 USD → `12.50`, 1250 JPY → `1250`. */
export const fromMinor = (minor: bigint, currency: string): string => fromUnits(minor, scaleOf(currency))

/** Returns an amount with exactly the currency's scale, or `undefined` if it is not a valid amount of that currency. */
export const normalizeAmount = (amount: string | number, currency: string): string | undefined => {
  const minor = toMinor(amount, currency)
  return minor === undefined ? undefined : fromMinor(minor, currency)
}
