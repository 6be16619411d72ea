/** Bytes that are asked for, the first and the last of them counted from 0. */
export interface Range {
  readonly first: number
  readonly last: number
}

const ONE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** Returns which bytes of a file a header asks for (RFC 9110, 14.2); `undefined`: all of it; `'none'`: such as it does not have. */
export const rangeIn = (header: string, bytes: number): Range | 'none' | undefined => {
  const [, from = '', to = ''] = ONE.exec(header.replaceAll(' ', '')) ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (from !== '' && to !== '' && Number(to) < first) return undefined
  return first > last ? 'none' : { first, last }
}

/** Yields the bytes of a range. What is before it is read, and left out. */
export async function* within(
  pieces: AsyncIterable<string | Uint8Array>,
  { first, last }: Range,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    const from = Math.max(0, first - at)
    const to = Math.min(bytes.length, last + 1 - at)
    if (from < to) yield bytes.subarray(from, to)
    at += bytes.length
    if (at > last) return
  }
}
