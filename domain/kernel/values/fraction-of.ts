/**
 * Returns a number from 0 to below 1 that follows from a text and is spread evenly over texts, also over those that differ in one character. It
 * is a hash of 53 bits (cyrb53), and no secret.
 */
export const fractionOf = (text: string): number => {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  const low = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  const high = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return (2 ** 32 * (high & 0x1fffff) + (low >>> 0)) / 2 ** 53
}
