import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { type OutboundClient, outboundClient } from '../../../infra/outbound/client.ts'

/** URLs that must be refused before anything is sent, in many spellings of the target. */
const REFUSED_URLS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://127.255.255.254/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://3232235521/',
  'http://0xc0a80001/',
  'http://0300.0250.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://192.0.0.1/',
  'http://192.0.2.10/',
  'http://198.18.0.1/',
  'http://198.51.100.5/',
  'http://203.0.113.5/',
  'http://224.0.0.1/',
  'http://239.255.255.255/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://192.88.99.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[4000::1]/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://api.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://intranet/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://ⓛocalhost/',
  'https://127.0.0.1:8443/',
  'http://user:secret@example.com/',
  'http://example.com:22/',
  'http://example.com:25/',
  'http://example.com:6379/',
  'http://example.com:11211/',
  'http://example.com:2375/',
  'http://example.com:1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/_x',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  '//example.com/',
  'example.com',
  '',
  'http://',
  'http://[::1',
  'http://256.256.256.256/',
]

/** DNS answers that must be refused: at least one address in each is forbidden. */
const REFUSED_ANSWERS = [
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['172.20.0.1'],
  ['192.168.1.1'],
  ['169.254.169.254'],
  ['100.100.100.200'],
  ['0.0.0.0'],
  ['224.0.0.1'],
  ['::1'],
  ['::'],
  ['::ffff:10.0.0.1'],
  ['64:ff9b::a00:1'],
  ['fd00:ec2::254'],
  ['fe80::1'],
  ['2002:a00:1::1'],
  ['8.8.8.8', '127.0.0.1'],
  ['2606:4700::1111', 'fd00::1'],
  [],
]

const listen = (server: Server, host: string, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

const request = { headers: { 'content-type': 'application/json' }, body: '{}' }

describe('requests that users can aim', () => {
  const clients: OutboundClient[] = []
  const servers: Server[] = []
  const client = (options: Parameters<typeof outboundClient>[0]): OutboundClient => {
    const made = outboundClient({ limits: { timeoutMs: 1000 }, ...options })
    clients.push(made)
    return made
  }
  const server = (handler: Parameters<typeof createServer>[1]): Server => {
    const made = createServer(handler)
    servers.push(made)
    return made
  }

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((one) => one.close()))
    for (const one of servers.splice(0)) one.close().closeAllConnections()
  })

  it(`are refused for ${REFUSED_URLS.length} spellings of what may not be called, without asking for a name`, async () => {
    const asked: string[] = []
    const guarded = client({
      allowPrivate: false,
      resolve: async (name) => {
        asked.push(name)
        return []
      },
    })
    for (const url of REFUSED_URLS) {
      expect(guarded.objection(url), url).to.be.a('string')
      expect(await guarded.post({ url, ...request }), url).to.include({ kind: 'refused' })
    }
    expect(asked).to.deep.equal([])
  })

  it(`are refused for ${REFUSED_ANSWERS.length} answers of name servers, public ones beside private ones included`, async () => {
    for (const addresses of REFUSED_ANSWERS) {
      const guarded = client({ allowPrivate: false, resolve: async () => addresses })
      const result = await guarded.post({ url: 'http://hooks.example.com/', ...request })
      expect(result, String(addresses)).to.include({ kind: 'refused' })
    }
  })

  it('are not refused for public names, addresses and ports', () => {
    const guarded = client({ allowPrivate: false })
    for (const url of [
      'https://example.com/x',
      'http://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'https://example.com:8443/',
      'http://example.com:3000/',
    ]) {
      expect(guarded.objection(url), url).to.equal(undefined)
    }
  })

  it('reach only the address that was checked when a name changes its meaning between look-ups', async () => {
    const reached: string[] = []
    const port = await listen(
      server((_request, response) => response.end('private', () => reached.push('private'))),
      '127.0.0.1',
    )
    const standsForPublic = '127.0.0.2'
    await listen(
      server((_request, response) =>
        response.setHeader('connection', 'close').end('public', () => reached.push('public')),
      ),
      standsForPublic,
      port,
    )
    let lookups = 0
    const guarded = client({
      allowPrivate: false,
      resolve: async () => (lookups++ % 2 === 0 ? [standsForPublic] : ['127.0.0.1']),
      objectionTo: (address) => (address === standsForPublic ? undefined : 'the address is not public'),
    })
    const kinds: string[] = []
    for (let i = 0; i < 6; i++)
      kinds.push((await guarded.post({ url: `http://rebind.example.com:${port}/`, ...request })).kind)
    expect(lookups).to.equal(6)
    expect(kinds).to.deep.equal(['answered', 'refused', 'answered', 'refused', 'answered', 'refused'])
    expect(reached).to.deep.equal(['public', 'public', 'public'])
  })

  it('do not follow redirects', async () => {
    let visits = 0
    const port = await listen(
      server((incoming, response) => {
        visits++
        response.writeHead(307, { location: incoming.url === '/' ? '/again' : '/' }).end()
      }),
      '127.0.0.1',
    )
    const open = client({ allowPrivate: true })
    expect(await open.post({ url: `http://127.0.0.1:${port}/`, ...request })).to.include({
      kind: 'answered',
      status: 307,
    })
    expect(visits).to.equal(1)
  })

  it('may go to an origin that the operator opened, only while it is open', async () => {
    const port = await listen(
      server((_request, response) => response.end('ok')),
      '127.0.0.1',
    )
    const guarded = client({ allowPrivate: false })
    const url = `http://127.0.0.1:${port}/`
    const close = guarded.exempt(`http://127.0.0.1:${port}`)
    expect(await guarded.post({ url, ...request })).to.include({ kind: 'answered', excerpt: 'ok' })
    close()
    expect(await guarded.post({ url, ...request })).to.include({ kind: 'refused' })
  })
})
