/** Cards that everybody knows: one that is approved, one that is declined, and one whose bank asks the buyer. */
const CARDS = ['4242424242424242', '4000000000000002', '4000002500003155']

const digits = (text: string): string => text.replace(/\D/g, '')

/** Returns the token by which the simulator knows a test card. No other number ever leaves the browser. */
export const testToken = (number: string): string | undefined =>
  CARDS.includes(digits(number)) ? `sim_${digits(number)}` : undefined

/** Whether an expiry such as `12 / 34` or `12/2034` is a month that has not ended. */
export const isFuture = (expiry: string, now: Date): boolean => {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(\d{4}|\d{2})\s*$/.exec(expiry) ?? []
  if (month === '' || Number(month) < 1 || Number(month) > 12) return false
  const end = new Date(Number(year.length === 2 ? `20${year}` : year), Number(month))
  return now < end
}

export const isCode = (code: string): boolean => /^\s*\d{3,4}\s*$/.test(code)
