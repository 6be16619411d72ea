/** Returns a number in as few bytes as it needs. */
export const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}

/** Reads a number. @returns it and what follows it */
export const readVarint = (bytes: Buffer): readonly [value: number, rest: Buffer] | undefined => {
  let value = 0
  for (const [index, byte] of bytes.subarray(0, 8).entries()) {
    value += (byte % 128) * 128 ** index
    if (byte < 128) return [value, bytes.subarray(index + 1)]
  }
  return undefined
}

/** Returns the bytes of a token in a URL. Another spelling of the same bytes is none. */
export const bytesOf = (token: string): Buffer => {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.toString('base64url') === token ? bytes : Buffer.alloc(0)
}
