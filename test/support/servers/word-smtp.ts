import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/**
 * Answers a command, or a whole message (`.`): with a line, with the end of the connection (`close`), with a line and then the end (`450 later|close`), or
 * never (`silence`). `undefined`: as usual.
 */
export type Answer = (line: string, connection: number) => string | undefined

const USUAL: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' }

/**
 * A server that speaks SMTP word for word, so that suites choose its replies and see every word.
 *
 * @param keeps whether it keeps what it hears; of very many mails it would fill the memory
 */
export const startWordSmtp = async (answer: Answer = () => undefined, { keeps = true } = {}) => {
  const lines: string[] = []
  const messages: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const serve = (socket: Socket) => {
    const connection = connections++
    let text = ''
    let body: string[] | undefined
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    const reply = (line: string) => {
      const said = answer(line, connection) ?? USUAL[line.toUpperCase()] ?? '250 fine'
      if (said === 'close') socket.destroy()
      else if (said.endsWith('|close')) socket.end(`${said.slice(0, -'|close'.length)}\r\n`)
      else if (said !== 'silence') socket.write(`${said}\r\n`)
      return said
    }
    const take = (line: string) => {
      if (body === undefined) {
        if (keeps) lines.push(line)
        if (reply(line).startsWith('354')) body = []
      } else if (line === '.') {
        if (keeps) messages.push(body.join('\r\n'))
        body = undefined
        reply('.')
      } else if (keeps) body.push(line)
    }
    socket.on('data', (piece) => {
      text += piece.toString()
      const all = text.split('\r\n')
      text = all.pop() ?? ''
      for (const line of all) take(line)
    })
    socket.write('220 ready\r\n')
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    lines,
    messages,
    port,
    url: `smtp://127.0.0.1:${port}?tls=no&name=app.example`,
    /** Number of open connections. */
    get open() {
      return sockets.size
    },
    /** Closes the connections that are open, as servers do with idle ones. */
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
