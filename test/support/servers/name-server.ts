import { createSocket } from 'node:dgram'

const HEADER = 12
const TXT = 16

/** Texts by name. */
const published = new Map<string, string>()
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

const answerTo = (query: Buffer): Buffer => {
  const { name, end } = nameIn(query)
  const text = query.readUInt16BE(end) === TXT ? published.get(name) : undefined
  const question = query.subarray(HEADER, end + 4)
  const header = Buffer.from(query.subarray(0, HEADER))
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(text === undefined ? 0 : 1, 6)
  header.writeUInt32BE(0, 8)
  if (text === undefined) return Buffer.concat([header, question])
  const data = Buffer.from(text)
  const record = Buffer.alloc(HEADER)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(TXT, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(0, 6)
  record.writeUInt16BE(data.length + 1, 10)
  return Buffer.concat([header, question, record, Buffer.from([data.length]), data])
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

/** Publishes a text under a name. */
export const publishText = (name: string, text: string): void => void published.set(name, text)
