import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { signatureHeaders } from '../../../workers/webhooks/sign.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { isUnread } from '../output.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly events?: string
  readonly status: string
  readonly json?: boolean
}

interface Line {
  readonly endpoint_id?: number
  readonly signing_secret?: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

const isSignedWith = (secret: Uint8Array, { headers }: IncomingMessage, body: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': sent } = headers
  const expected = signatureHeaders([{ bytes: secret, hex: '' }], String(id), Number(timestamp), body)
  const signature = Buffer.from(expected['webhook-signature'] ?? '')
  const given = Buffer.from(String(sent))
  return given.length === signature.length && timingSafeEqual(given, signature)
}

const print = (flags: Flags, request: IncomingMessage, body: string, valid: boolean): void => {
  const event = JSON.parse(body) as { event_type: string; subject_type: string; subject_id: number; sequence: number }
  const { 'webhook-id': id } = request.headers
  const subject = `${event.subject_type} ${event.subject_id} @${event.sequence}`
  const text = `${event.event_type}  ${subject}  ${id}  signature ${valid ? 'valid' : 'NOT VALID'}\n`
  process.stdout.write(flags.json ? `${JSON.stringify({ id, signature_valid: valid, payload: event })}\n` : text)
}

const receive = async (flags: Flags, secret: () => Uint8Array): Promise<Server> => {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    print(flags, request, body, isSignedWith(secret(), request, body))
    // As with Ctrl-C, the service then removes the temporary endpoint.
    response.writeHead(Number(flags.status)).end(() => isUnread(process.stdout) && process.exit(0))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return server
}

const listen = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const { id, name } = await chooseWorkspace(client, flags.workspace)
    let secret = new Uint8Array()
    const server = await receive(flags, () => secret)
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/`
    const query = new URLSearchParams({ workspace_id: String(id), url, types: flags.events ?? '' })
    for await (const line of client.lines<Line>('POST', `/webhooks/listen?${query}`)) {
      if (line.signing_secret === undefined) continue
      secret = new Uint8Array(Buffer.from(line.signing_secret.replace('whsec_', ''), 'base64'))
      process.stderr.write(`Listening to the events of ${name} on ${url}; Ctrl-C ends it.\n`)
    }
    server.close()
  })

export const addWebhooks = (program: Command): void => {
  program
    .command('webhooks')
    .description('outgoing webhooks')
    .command('listen')
    .description('print what subscribers are told, by a temporary endpoint on this machine')
    .option('--workspace <id>', 'whose events; needed when there are several')
    .option('--events <keys>', 'only these types, separated by commas')
    .option('--status <code>', 'status to answer deliveries with', '200')
    .option('--data <directory>', 'data directory of the running service')
    .option('--json', 'print whole payloads, as JSON lines')
    .action(listen)
}
