import { type AddressInfo, createServer, type Socket } from 'node:net'

/** An SMTP server with minimal cost: it takes every mail, and answers `VRFY` with how many. Its first line contains its port. */
const END = '\r\n.\r\n'

let taken = 0

const serve = (socket: Socket): void => {
  let text = ''
  let isBody = false
  const say = (line: string) => socket.write(`${line}\r\n`)

  /** Takes the next command, or a whole message. @returns whether there was one */
  const next = (): boolean => {
    const end = text.indexOf(isBody ? END : '\r\n')
    if (end < 0) return false
    const verb = isBody ? '' : text.slice(0, 4).toUpperCase()
    if (isBody) taken++
    text = text.slice(end + (isBody ? END.length : 2))
    if (verb === 'EHLO') say('250-sink\r\n250 PIPELINING')
    else if (verb === 'VRFY') say(`252 ${taken}`)
    else say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 2.0.0 ok')
    isBody = verb === 'DATA'
    return true
  }

  socket.setNoDelay(true).setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    text += piece
    while (next());
  })
  say('220 sink')
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
})
process.on('SIGTERM', () => process.exit(0))
