import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface HostAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The body, decompressed. */
  readonly text: string
}

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

/** A current browser. Requests without a user agent count as those of programs. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Asks a listener for a path of a host, as a browser does. */
export const askHost = (
  listener: string,
  host: string,
  path: string,
  { headers, body, ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<HostAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(listener)
    const sent = { host, 'user-agent': BROWSER, ...(headers as Record<string, string>) }
    const asked = request({ hostname, port, path, ...options, headers: sent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(parts)
        const decode = DECODE[response.headers['content-encoding'] ?? '']
        const text = (decode && bytes.length > 0 ? decode(bytes) : bytes).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
