/** Cards that everybody knows, with the token by which the simulator knows what to do. */
const TOKENS: ReadonlyMap<string, string> = new Map([
  ['4242424242424242', 'visa_4242'],
  ['4000000000000002', 'declined'],
  ['4000002500003155', 'authentication_required'],
])

const digits = (text: string): string => text.replace(/\D/g, '')

/** Returns the token of a test card. The number itself never leaves the browser. */
export const testToken = (number: string): string | undefined => TOKENS.get(digits(number))

/** Whether an expiry such as `12 / 34` or `12/2034` is a month that has not ended. */
export const isFuture = (expiry: string, now: Date): boolean => {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(\d{4}|\d{2})\s*$/.exec(expiry) ?? []
  if (month === '' || Number(month) < 1 || Number(month) > 12) return false
  const end = new Date(Number(year.length === 2 ? `20${year}` : year), Number(month))
  return now < end
}

export const isCode = (code: string): boolean => /^\s*\d{3,4}\s*$/.test(code)
