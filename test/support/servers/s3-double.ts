import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const CREDENTIALS = { id: 'AKTEST', secret: 'a/secret+with odd=letters' }
/** Keys a page; few, so that lists have several pages. */
const PAGE = 2

/** A server with one bucket in memory, which checks signatures. */
export interface S3Double {
  /** Address in the form of `S3_URL`. */
  readonly url: string
  readonly keys: () => readonly string[]
  /** Fails every request in this way, until called with `undefined`. */
  fails(status: number | 'reset' | undefined): void
  close(): Promise<void>
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** The signature that a request must have (AWS Signature Version 4). */
const signatureOf = ({ method, headers }: IncomingMessage, url: URL, scope: string, signed: string): string => {
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const payload = String(headers['x-amz-content-sha256'])
  const canonical = [method, url.pathname, query.join('&'), lines.join(''), signed, payload].join('\n')
  const [date = '', region = '', service = '', end = ''] = scope.split('/')
  const key = [region, service, end].reduce<Buffer>(hmac, hmac(`AWS4${CREDENTIALS.secret}`, date))
  return hmac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')).toString('hex')
}

const isSigned = (request: IncomingMessage, url: URL, body: Buffer): boolean => {
  const header = String(request.headers.authorization)
  const found = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(header)
  const [, id, scope = '', signed = '', signature] = found ?? []
  const isWhole = request.headers['x-amz-content-sha256'] === sha256(body)
  return id === CREDENTIALS.id && isWhole && signatureOf(request, url, scope, signed) === signature
}

const listed = (keys: readonly string[], after: string): string => {
  const page = keys.filter((key) => key > after).slice(0, PAGE)
  const isCut = keys.filter((key) => key > after).length > PAGE
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
  const token = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${contents}${token}</ListBucketResult>`
}

/** Starts a double on a free port of the loopback interface. */
export const startS3Double = async (): Promise<S3Double> => {
  const objects = new Map<string, Buffer>()
  let failing: number | 'reset' | undefined
  const failed = (response: ServerResponse, status: number, code: string) => {
    response.statusCode = status
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://s3')
    const body = await buffer(request)
    if (failing === 'reset') return void request.socket.destroy()
    if (failing !== undefined) return failed(response, failing, 'InternalError')
    if (!isSigned(request, url, body)) return failed(response, 403, 'SignatureDoesNotMatch')
    const [, bucket, ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (bucket !== 'files') return failed(response, 404, 'NoSuchBucket')
    if (request.method === 'PUT') objects.set(key, body)
    else if (request.method === 'DELETE') {
      objects.delete(key)
      response.statusCode = 204
    } else if (url.searchParams.get('list-type') === '2') {
      const prefix = url.searchParams.get('prefix') ?? ''
      const keys = [...objects.keys()].filter((one) => one.startsWith(prefix)).sort()
      return void response.end(listed(keys, url.searchParams.get('continuation-token') ?? ''))
    } else {
      const found = objects.get(key)
      if (!found) return failed(response, 404, 'NoSuchKey')
      response.setHeader('Content-Length', found.length)
      return void response.end(request.method === 'HEAD' ? undefined : found)
    }
    response.end()
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [id, secret] = [CREDENTIALS.id, CREDENTIALS.secret].map(encodeURIComponent)
  return {
    url: `http://${id}:${secret}@127.0.0.1:${port}/files/kept?region=eu-central-1`,
    keys: () => [...objects.keys()].sort(),
    fails: (status) => {
      failing = status
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
