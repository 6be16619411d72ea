import { BudgetSpent } from './budget.ts'

/** Digits of the longest number, before and behind the point. */
const MOST_DIGITS = 400
/** Digits of a quotient: more than twice those of a binary fraction. */
const QUOTIENT_DIGITS = 40

/** Texts that are decimals. Of all others the whole number counts that they begin with. */
const DECIMAL = /^-?\d+\.\d+$/
const WHOLE = /^\s*([+-]?\d+(?:_\d+)*)/

/** Number as a filter counts with it: `digits` divided by ten to the power of `scale`. */
export interface Exact {
  readonly digits: bigint
  readonly scale: number
  /** Whether it is written with a point, also where its value is whole. */
  readonly isDecimal: boolean
}

/** Text of a binary fraction as Ruby writes it. */
const fractionText = (value: number): string => {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e16)) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [mantissa = '', power = ''] = value.toExponential().split('e')
  const exponent = power.slice(1).padStart(2, '0')
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${power[0]}${exponent}`
}

/** Result with a point that a number of JavaScript would be written without, or in another form. Comparisons take it for its value. */
export class Decimal {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  valueOf(): number {
    return this.value
  }

  toString(): string {
    return fractionText(this.value)
  }

  equals(other: unknown): boolean {
    return this.value === (other instanceof Decimal ? other.value : other)
  }

  gt(other: unknown): boolean {
    return this.value > Number(other)
  }

  geq(other: unknown): boolean {
    return this.value >= Number(other)
  }

  lt(other: unknown): boolean {
    return this.value < Number(other)
  }

  leq(other: unknown): boolean {
    return this.value <= Number(other)
  }
}

/** Returns a number with a point as templates have it. */
export const asDecimal = (value: number): number | Decimal =>
  Number.isInteger(value) || Math.abs(value) < 1e-4 ? new Decimal(value) : value

const refuseLong = (digits: number): void => {
  if (digits > MOST_DIGITS) throw new BudgetSpent('a number in the template becomes too long')
}

const whole = (digits: bigint): Exact => ({ digits, scale: 0, isDecimal: false })

const power = (exponent: number): bigint => 10n ** BigInt(exponent)

/** Reads a decimal, with or without an exponent. */
const decimalIn = (text: string): Exact => {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [before = '', behind = ''] = mantissa.split('.')
  const scale = behind.length - Number(exponent)
  refuseLong(before.length + Math.abs(scale))
  const digits = BigInt(before + behind) * power(Math.max(0, -scale))
  return { digits, scale: Math.max(0, scale), isDecimal: true }
}

const decimalOf = (value: number): Exact => {
  if (!Number.isFinite(value)) throw new BudgetSpent('a number in the template becomes too long')
  return decimalIn(String(value))
}

/** Returns the number that a value stands for: 0 for what is none. */
export const exactOf = (value: unknown): Exact => {
  if (value instanceof Decimal) return decimalOf(value.value)
  if (typeof value === 'bigint') return whole(value)
  if (typeof value === 'number') {
    return Number.isInteger(value) ? whole(BigInt(value)) : decimalOf(value)
  }
  if (typeof value !== 'string') return whole(0n)
  const text = value.trim()
  if (DECIMAL.test(text)) return decimalIn(text)
  const found = WHOLE.exec(text)?.[1]?.replaceAll('_', '') ?? '0'
  refuseLong(found.length)
  return whole(BigInt(found.replace('+', '')))
}

/** Returns a number as templates have it. */
export const numberOf = ({ digits, scale, isDecimal }: Exact): number | bigint | Decimal => {
  if (isDecimal) return asDecimal(Number(`${digits}e-${scale}`))
  refuseLong(String(digits).length)
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : digits
}

/** Returns the whole number that a value stands for, without what stands behind its point. */
export const wholeIn = (value: unknown): number => {
  const { digits, scale } = exactOf(value)
  return Number(digits / power(scale))
}

const together = (a: Exact, b: Exact) => {
  const scale = Math.max(a.scale, b.scale)
  const [left, right] = [a, b].map((one) => one.digits * power(scale - one.scale))
  return { left: left!, right: right!, scale, isDecimal: a.isDecimal || b.isDecimal }
}

/** Quotient without its rest: the next whole number below. */
const floorOf = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor
  return quotient * divisor !== dividend && dividend < 0n !== divisor < 0n ? quotient - 1n : quotient
}

const refuseZero = ({ digits }: Exact): void => {
  if (digits === 0n) throw new Error('divided by 0')
}

type Operation = (a: Exact, b: Exact) => Exact

export const sum: Operation = (a, b) => {
  const { left, right, ...form } = together(a, b)
  return { ...form, digits: left + right }
}

export const difference: Operation = (a, b) => sum(a, { ...b, digits: -b.digits })

export const product: Operation = (a, b) => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
  isDecimal: a.isDecimal || b.isDecimal,
})

/** Division that stays whole between whole numbers. */
export const quotient: Operation = (a, b) => {
  refuseZero(b)
  const { left, right, isDecimal } = together(a, b)
  if (!isDecimal) return whole(floorOf(left, right))
  const scale = Math.max(0, QUOTIENT_DIGITS + String(right).length - String(left).length)
  return { digits: (left * power(scale)) / right, scale, isDecimal }
}

/** Remainder with the sign of the divisor. */
export const remainder: Operation = (a, b) => {
  refuseZero(b)
  const { left, right, ...form } = together(a, b)
  return { ...form, digits: left - floorOf(left, right) * right }
}

/** Returns whichever is greater: the first, if neither is. */
export const greater: Operation = (a, b) => (difference(b, a).digits > 0n ? b : a)

/** Returns whichever is less: the first, if neither is. */
export const lesser: Operation = (a, b) => (difference(b, a).digits < 0n ? b : a)

export const floor = ({ digits, scale }: Exact): Exact => whole(floorOf(digits, power(scale)))

export const ceiling = ({ digits, scale }: Exact): Exact => whole(-floorOf(-digits, power(scale)))

export const absolute = (a: Exact): Exact => ({ ...a, digits: a.digits < 0n ? -a.digits : a.digits })

/** Rounds to places behind the point, or before it: what is in the middle goes away from 0. What has no places behind the point is whole. */
export const rounded = (a: Exact, to: Exact): Exact => {
  const places = Number(to.digits / power(to.scale))
  const dropped = a.scale - places
  if (dropped <= 0) return places > 0 ? a : whole(a.digits)
  if (dropped > MOST_DIGITS * 2) return whole(0n)
  const unit = power(dropped)
  const { digits } = absolute(a)
  const kept = (2n * digits + unit) / (2n * unit)
  const signed = a.digits < 0n ? -kept : kept
  return places > 0 ? { digits: signed, scale: places, isDecimal: a.isDecimal } : whole(signed * power(-places))
}
