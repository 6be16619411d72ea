import type { Dispatcher } from 'undici'
import { TargetRefused } from './target.ts'

export interface ExchangeLimits {
  /** From the start of the request to the last byte of the answer. */
  readonly timeoutMs: number
  /** Bytes of an answer after which the connection is cut. A shorter answer leaves the connection for the next request. */
  readonly maxAnswerBytes: number
  /** Bytes of an answer that are kept. */
  readonly keptBytes: number
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the other side',
  EPIPE: 'the connection was closed by the other side',
  UND_ERR_SOCKET: 'the connection was closed by the other side',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
}

/** An answer as far as it arrived, or why there is none. */
export type Exchanged =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      /** The beginning of the body. */
      readonly body: Buffer
      /** Whether `body` is all of it. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string }

type Headers = Readonly<Record<string, string | string[] | undefined>>

const failureOf = (error: Error): Exchanged => {
  if (error instanceof TargetRefused) return { kind: 'refused', reason: error.message }
  const { code = '' } = error as NodeJS.ErrnoException
  const tls =
    code.startsWith('CERT_') || code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || /CERT|SIGNATURE/.test(code)
  if (tls) return { kind: 'failed', reason: `the TLS certificate or handshake is not valid (${code})` }
  if (error.name === 'HTTPParserError' || code.startsWith('HPE_'))
    return { kind: 'failed', reason: 'the answer is not HTTP' }
  return { kind: 'failed', reason: FAILURES[code] ?? `the request failed (${code || error.name})` }
}

/** Returns the first value of a header. */
export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** One request and its answer, bounded in time and size however the other side behaves. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits
  readonly #settle: (result: Exchanged) => void
  readonly #deadline: NodeJS.Timeout
  readonly #pieces: Buffer[] = []
  #kept = 0
  #received = 0
  #status = 0
  #headers: Headers = {}
  #settled = false
  #controller: Dispatcher.DispatchController | undefined

  constructor(limits: ExchangeLimits, settle: (result: Exchanged) => void) {
    this.#limits = limits
    this.#settle = settle
    this.#deadline = setTimeout(() => this.#expire(), limits.timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) this.#cut()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Any number of informational answers may come before the final one.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    this.#received += chunk.length
    const capacity = this.#limits.keptBytes - this.#kept
    if (capacity > 0) {
      const piece = Buffer.from(chunk.subarray(0, capacity))
      this.#pieces.push(piece)
      this.#kept += piece.length
    }
    if (this.#received <= this.#limits.maxAnswerBytes) return
    this.#finish(this.#answer())
    this.#cut()
  }

  onResponseEnd(): void {
    this.#finish(this.#answer(true))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(this.#status > 0 ? this.#answer() : failureOf(error))
  }

  #expire(): void {
    const seconds = this.#limits.timeoutMs / 1000
    this.#finish(this.#status > 0 ? this.#answer() : { kind: 'failed', reason: `no answer within ${seconds} s` })
    this.#cut()
  }

  #answer(hasEnded = false): Exchanged {
    const isWhole = hasEnded && this.#kept === this.#received
    return {
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#pieces),
      isWhole,
    }
  }

  #finish(result: Exchanged): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#deadline)
    this.#settle(result)
  }

  #cut(): void {
    this.#controller?.abort(new Error('the exchange is over'))
  }
}

/** Sends a request, and resolves to its outcome. Never rejects. */
export const exchange = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Exchanged> =>
  new Promise((resolve) => {
    const handler = new Exchange(limits, resolve)
    try {
      dispatcher.dispatch(options, handler)
    } catch (error) {
      handler.onResponseError(undefined as never, error as Error)
    }
  })
