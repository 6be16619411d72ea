import { createSocket } from 'node:dgram'

const HEADER = 12
const TXT = 16

/** Texts by name, names by their alias, and names that the server fails for. */
const published = new Map<string, readonly string[]>()
const aliases = new Map<string, string>()
const failing = new Set<string>()
let started: Promise<string> | undefined

const nameIn = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let at = HEADER
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

const CNAME = 5
const SERVER_FAILURE = 2
const LONGEST_STRING = 255

/** Strings of a record, each with its length. */
const stringsOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += LONGEST_STRING) {
    const part = bytes.subarray(at, at + LONGEST_STRING)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])

const recordOf = (type: number, data: Buffer): Buffer => {
  const record = Buffer.alloc(HEADER)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(0, 6)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}

const recordsAt = (name: string, type: number): readonly Buffer[] => {
  if (type === TXT) return (published.get(name) ?? []).map((text) => recordOf(TXT, stringsOf(text)))
  const alias = type === CNAME ? aliases.get(name) : undefined
  return alias === undefined ? [] : [recordOf(CNAME, nameBytes(alias))]
}

const answerTo = (query: Buffer): Buffer => {
  const { name, end } = nameIn(query)
  const records = recordsAt(name, query.readUInt16BE(end))
  const question = query.subarray(HEADER, end + 4)
  const header = Buffer.from(query.subarray(0, HEADER))
  const code = failing.has(name) ? SERVER_FAILURE : records.length === 0 ? 3 : 0
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(code === 0 ? records.length : 0, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question, ...(code === 0 ? records : [])])
}

const start = (): Promise<string> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.on('message', (query, { port, address }) => socket.send(answerTo(query), port, address))
    socket.bind(0, '127.0.0.1', () => resolve(`127.0.0.1:${socket.address().port}`))
    socket.unref()
  })

/** Address of a name server with the texts that tests publish. */
export const nameServer = (): Promise<string> => {
  started ??= start()
  return started
}

/** Publishes texts under a name, in place of those that were there. */
export const publishText = (name: string, ...texts: readonly string[]): void => void published.set(name, texts)

/** Makes a name an alias of another. */
export const publishAlias = (name: string, of: string): void => void aliases.set(name, of)

/** Makes the server fail for a name, until `fails` is false. */
export const failFor = (name: string, fails = true): void => void (fails ? failing.add(name) : failing.delete(name))
