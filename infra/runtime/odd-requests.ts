import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody } from '../../api/errors.ts'
import { straightenHeaders } from '../../api/http/meant-headers.ts'
import { hasBody, REST_MS } from '../../api/http/unread-body.ts'

/** Status line and text of the answer, by the error code of Node.js. */
const ANSWERS: Readonly<Record<string, readonly [status: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Bad request: the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'Payload too large: the extensions of a chunk'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Bad request: it took too long to come'],
}
const NO_HTTP = ['400 Bad Request', 'Bad request: this is not HTTP'] as const

const bodyOf = (text: string): string => JSON.stringify(errorBody(text, randomUUID()))

const headersOf = (body: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
})

const rawAnswer = (code: string | undefined): string => {
  const [status, text] = ANSWERS[code ?? ''] ?? NO_HTTP
  const body = bodyOf(text)
  const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${headers.join('')}\r\n${body}`
}

const refuse = (response: ServerResponse, why: string): void => {
  const body = bodyOf(`Bad request: ${why}`)
  response.writeHead(400, headersOf(body)).end(body)
}

/** Closes the connection of a request that was answered before all of it was read, if the rest takes longer than `REST_MS`. */
const cutLater = (request: IncomingMessage, response: ServerResponse): void => {
  response.once('finish', () => {
    if (request.complete) return
    const timer = setTimeout(() => request.socket.destroy(), REST_MS)
    request.once('close', () => clearTimeout(timer))
  })
}

/**
 * Lets a server answer requests. Invalid HTTP and unread bodies, which the application does not see, get an answer in the
 * form of the API too. The server must be created with `requireHostHeader: false`, so that a missing host gets one as well.
 */
export const answerWith = (server: Server, answer: RequestListener): void => {
  /** Last response of each connection. While it is being sent, no other may be. */
  const last = new WeakMap<Duplex, ServerResponse>()
  const take: RequestListener = (request, response) => {
    last.set(request.socket, response)
    if (hasBody(request)) cutLater(request, response)
    const fault = straightenHeaders(request)
    if (fault === undefined) answer(request, response)
    else refuse(response, fault)
  }
  server.on('request', take)
  // A client that asks before sending a body is told to continue when the body is read. Otherwise it is refused without it.
  server.on('checkContinue', take)
  server.on('checkExpectation', take)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const before = last.get(socket)
    const mayAnswer = !before || before.writableFinished || !before.headersSent
    if (socket.writable && mayAnswer) socket.write(rawAnswer(error.code))
    socket.destroy(error)
  })
}
