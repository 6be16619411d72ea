import { createServer, type Socket } from 'node:net'

/**
 * A receiver with minimal cost: it reads requests from the socket, answers 200, and regularly prints how many have arrived. Its first
 * line contains its port. A line on standard input is answered with the list of delays.
 */
const END_OF_HEAD = '\r\n\r\n'
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const PROGRESS_MS = 250

let deliveries = 0
let lastAt = 0
let delays: number[] = []
const connections = new Set<Socket>()

const lengthOf = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)

const arrived = (body: string, at: number): void => {
  deliveries++
  lastAt = at
  const created = /"created_at":"([^"]+)"/.exec(body)?.[1]
  if (created) delays.push(at - Date.parse(created))
}

const server = createServer((socket) => {
  let text = ''
  let begunAt = 0
  connections.add(socket.setNoDelay(true).setEncoding('latin1'))
  socket.on('error', () => {}).on('close', () => connections.delete(socket))
  socket.on('data', (piece) => {
    if (text === '') begunAt = performance.timeOrigin + performance.now()
    text += piece
    const head = text.indexOf(END_OF_HEAD)
    if (head < 0) return
    const from = head + END_OF_HEAD.length
    if (text.length < from + lengthOf(text.slice(0, head))) return
    socket.write(ANSWER)
    arrived(text.slice(from), begunAt)
    text = ''
  })
})

const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

server.listen(0, '127.0.0.1', () => {
  say({ port: (server.address() as { port: number }).port })
  setInterval(() => say({ deliveries, lastAt }), PROGRESS_MS)
})
process.stdin.on('data', () => {
  say({ delays })
  delays = []
})
process.on('SIGTERM', () => process.exit(0))
