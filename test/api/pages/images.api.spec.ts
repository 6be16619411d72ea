import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import sharp from 'sharp'
import { hungryDrawing, slowFilter } from '../../support/expensive-images.ts'
import { square } from '../../support/servers/image-server.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'

const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const chunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([be32(data.length), Buffer.from(type, 'latin1'), data, be32(0)])

/** A PNG of a few bytes that claims this size. */
const claiming = (side: number): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([be32(side), be32(side), Buffer.from([8, 6, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])

/** A GIF of this many frames that claim 5000 × 5000 pixels each. */
const frames = (count: number): Buffer => {
  const side = [0x88, 0x13]
  const one = Buffer.from([0x2c, 0, 0, 0, 0, ...side, ...side, 0, 2, 2, 0x4c, 1, 0])
  const head = Buffer.from([...Buffer.from('GIF89a'), ...side, ...side, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  return Buffer.concat([head, ...Array.from({ length: count }, () => one), Buffer.from([0x3b])])
}

const svg = (inside: string, before = ''): string =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">${inside}</svg>`

const HOSTILE: readonly (readonly [what: string, content: () => Promise<Buffer | string>, says: RegExp])[] = [
  ['a PNG that claims 60,000 × 60,000 pixels', async () => claiming(60_000), /larger than 10000 x 10000/],
  ['a PNG whose picture is not there', async () => claiming(9000), /not a whole image/],
  ['a GIF of very many frames', async () => frames(100), /too many frames/],
  [
    'a PNG with HTML behind it',
    async () => Buffer.concat([await square(4).png().toBuffer(), Buffer.from('<html><script>')]),
    /behind the end/,
  ],
  ['a GIF header with HTML behind it', async () => 'GIF89a/*<html><script>alert(1)</script>*/', /not a whole image/],
  [
    'a JPEG with HTML behind it',
    async () => Buffer.concat([await square(4).jpeg().toBuffer(), Buffer.from('<html>')]),
    /behind the end/,
  ],
  [
    'a WebP with HTML behind it',
    async () => Buffer.concat([await square(4).webp().toBuffer(), Buffer.from('<html>')]),
    /behind the end/,
  ],
  ['a PNG that is cut off', async () => (await square(64).png().toBuffer()).subarray(0, 80), /not a whole image/],
  [
    'an ICO without a picture',
    async () => Buffer.from([0, 0, 1, 0, 1, 0, ...Array<number>(16).fill(9)]),
    /not a whole image/,
  ],
  ['HTML', async () => '<!doctype html><title>No</title>', /is not an image/],
  ['nothing', async () => '', /is not an image/],
  ['an SVG with a script', async () => svg('<script>alert(1)</script>'), /has a script/],
  ['an SVG with a handler', async () => svg('<rect onload="alert(1)"/>'), /has a script/],
  [
    'an SVG with a disguised address',
    async () => svg('<a href="java&#x73;cript:alert(1)"><rect/></a>'),
    /has a script/,
  ],
  [
    'an SVG with an external reference',
    async () => svg('<image href="http://169.254.169.254/x.png"/>'),
    /something outside/,
  ],
  ['an SVG with a file', async () => svg('<image xlink:href="file:///etc/passwd"/>'), /something outside/],
  [
    'an SVG with an external style',
    async () => svg('<style>@import "https://example.com/a.css";</style>'),
    /something outside/,
  ],
  [
    'an SVG that is an entity bomb',
    async () => svg('&b;', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'),
    /entities that are not plain text/,
  ],
  ['an SVG without an end', async () => svg('').slice(0, -6), /not a whole image/],
]

describe('images', () => {
  let service: TestService
  let tenant: Tenant
  let server: Server
  let origin: string
  let answer: RequestListener = (_request, response) => response.end()

  before(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    service = await startTestService()
    service.background.outbound.exempt(origin)
    tenant = await service.tenant()
  })
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const serving = (content: Buffer | string, type = 'image/png') => {
    answer = (_request, response) => response.setHeader('content-type', type).end(content)
  }
  const upload = (url = `${origin}/a`, more: object = {}) =>
    tenant.api.post(`/workspaces/${tenant.workspaceId}/images`, { image: { upload_source_url: url, ...more } })
  const refused = async (says: RegExp, url?: string) => {
    const { status, body } = await upload(url)
    expect(status, JSON.stringify(body)).to.equal(422)
    expect(body.details.map(({ field }: { field: string }) => field)).to.deep.equal(['image.upload_source_url'])
    expect(body.error).to.match(says)
  }

  for (const type of ['png', 'jpeg', 'webp', 'gif'] as const) {
    it(`keeps a ${type} as it is, and serves its sizes`, async () => {
      const content = await square(900).toFormat(type).toBuffer()
      serving(content, 'text/plain')
      const { status, body } = await upload(undefined, { name: 'Blue', alt_text: 'A square' })
      expect(status, JSON.stringify(body)).to.equal(201)
      expect(body).to.include({ name: 'Blue', alt_text: 'A square' })
      expect(body.url).to.match(new RegExp(`^${service.publicUrl}/images/${body.id}/[A-Za-z0-9]{24}$`))
      const original = await fetch(body.url)
      expect(original.headers.get('content-type')).to.equal(`image/${type}`)
      expect(Buffer.from(await original.arrayBuffer()).equals(content)).to.equal(true)
      const sides = { thumbnail: 52, small: 300, medium: 600, large: 800, 'x-large': 900 }
      for (const [size, side] of Object.entries(sides)) {
        const made = await fetch(`${body.url}/${size}`)
        const { width, height } = await sharp(Buffer.from(await made.arrayBuffer())).metadata()
        expect([made.status, width, height]).to.deep.equal([200, side, side])
      }
    })
  }

  it('serves drawings in a sandbox, icons in every size as they are, and nothing under another address', async () => {
    serving(svg('<rect width="20" height="10" fill="url(#a)"/>', '<?xml version="1.0"?>\n<!-- drawn -->'))
    const { body } = await upload()
    const drawing = await fetch(body.url)
    expect(drawing.headers.get('content-type')).to.equal('image/svg+xml')
    expect(drawing.headers.get('content-security-policy')).to.match(/default-src 'none'.*; sandbox$/)
    expect(drawing.headers.get('x-content-type-options')).to.equal('nosniff')
    expect(drawing.headers.get('cache-control')).to.match(/immutable/)
    expect((await fetch(`${body.url}/small`)).headers.get('content-type')).to.equal('image/png')
    const again = await fetch(body.url, {
      headers: { 'if-none-match': drawing.headers.get('etag')!, 'cache-control': 'max-age=0' },
    })
    expect(again.status).to.equal(304)
    expect((await fetch(`${body.url}/huge`)).status).to.equal(404)
    expect((await fetch(`${body.url.slice(0, -1)}${body.url.endsWith('x') ? 'y' : 'x'}`)).status).to.equal(404)

    const picture = await square(16).png().toBuffer()
    const entry = Buffer.alloc(22)
    entry.set([0, 0, 1, 0, 1, 0, 16, 16])
    entry.writeUInt32LE(picture.length, 14)
    entry.writeUInt32LE(22, 18)
    const icon = Buffer.concat([entry, picture])
    serving(icon)
    const { url } = (await upload()).body
    const shown = await fetch(`${url}/thumbnail`)
    expect(shown.headers.get('content-type')).to.equal('image/x-icon')
    expect(Buffer.from(await shown.arrayBuffer()).equals(icon)).to.equal(true)
  })

  it('serves drawings with filters, and those that take too much in a size, as they are', async () => {
    const isOriginal = async (url: string, size: string) => {
      const [original, answer] = await Promise.all([fetch(url), fetch(`${url}/${size}`)])
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('content-type')).to.equal('image/svg+xml')
      expect(answer.headers.get('content-security-policy')).to.match(/sandbox$/)
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=3600')
      expect(answer.headers.get('etag')).to.equal(original.headers.get('etag'))
      expect(await answer.text()).to.equal(await original.text())
    }
    serving(slowFilter())
    const { body: filtered, status } = await upload()
    expect(status, JSON.stringify(filtered)).to.equal(201)
    for (const size of ['thumbnail', 'x-large']) await isOriginal(filtered.url, size)

    serving(hungryDrawing())
    const { body: hungry } = await upload()
    expect((await fetch(`${hungry.url}/thumbnail`)).headers.get('content-type')).to.equal('image/png')
    for (let time = 0; time < 3; time++) await isOriginal(hungry.url, 'x-large')
  })

  it('keeps nothing of a photograph that tells where and when it was taken, and turns its sizes', async () => {
    const photograph = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
      .withExif({ IFD0: { Copyright: 'by Ada' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(photograph.includes('by Ada')).to.equal(true)
    serving(photograph)
    const { url } = (await upload()).body
    const original = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(original.includes('by Ada')).to.equal(false)
    expect((await sharp(original).metadata()).orientation).to.equal(6)
    const { width, height, exif } = await sharp(
      Buffer.from(await (await fetch(`${url}/small`)).arrayBuffer()),
    ).metadata()
    expect({ width, height, exif }).to.deep.equal({ width: 20, height: 40, exif: undefined })
  })

  it('uploads again only when a URL is sent, and removes files together with their record', async () => {
    const { blobs } = service.background.stores
    const gone = async (url: string) => {
      for (const until = Date.now() + 5000; (await fetch(url)).status !== 404; ) expect(Date.now()).to.be.below(until)
    }
    serving(await square(10).png().toBuffer())
    const { body: first } = await upload()
    const { body: renamed } = await tenant.api.put(`/images/${first.id}`, { image: { name: 'Other' } })
    expect([renamed.name, renamed.url]).to.deep.equal(['Other', first.url])
    const replaced = await tenant.api.put(`/images/${first.id}`, { image: { upload_source_url: `${origin}/b` } })
    expect(replaced.body.url).not.to.equal(first.url)
    await gone(first.url)
    expect((await fetch(`${replaced.body.url}/small`)).status).to.equal(200)
    const { file } = (await service.background.stores.readModels.live.get('image', first.id))!
    expect(await blobs.has(`image-${first.id}`, Number(file) * 8)).to.equal(true)
    expect((await tenant.api.delete(`/images/${first.id}`)).status).to.equal(204)
    await gone(replaced.body.url)
    for (const until = Date.now() + 5000; await blobs.has(`image-${first.id}`, Number(file) * 8); )
      expect(Date.now()).to.be.below(until)
  })

  for (const [what, content, says] of HOSTILE) {
    it(`refuses ${what}`, async () => {
      serving(await content())
      await refused(says)
    })
  }

  it('refuses an endless body without keeping it', async () => {
    let sent = 0
    answer = (_request, response) => {
      const piece = Buffer.alloc(64 * 1024, 1)
      const go = () => {
        if (response.destroyed) return
        sent += piece.length
        response.write(piece, () => setImmediate(go))
      }
      go()
    }
    const before = process.memoryUsage().rss
    await refused(/larger than 10 MB/)
    expect(sent).to.be.below(40 * 1024 * 1024)
    expect(process.memoryUsage().rss - before).to.be.below(150 * 1024 * 1024)
  })

  it('refuses an answer that is shorter or longer than it said, and one that is no 200', async () => {
    const content = await square(40).png().toBuffer()
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': content.length + 5000 })
      response.write(content, () => response.destroy())
    }
    await refused(/breaks off/)
    answer = (_request, response) => {
      response.socket?.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n'), content]))
    }
    await refused(/not a whole image/)
    answer = (_request, response) => response.writeHead(404).end()
    await refused(/the answer is 404/)
  })

  it('follows few redirects, and none to forbidden addresses', async () => {
    const content = await square(4).png().toBuffer()
    answer = ({ url }, response) => {
      if (url === '/a') response.writeHead(302, { location: '/b' }).end()
      else response.end(content)
    }
    expect((await upload()).status).to.equal(201)
    const to = (location: string) => {
      answer = (_request, response) => response.writeHead(302, { location }).end()
    }
    to('/a')
    await refused(/too many redirects/)
    to('http://127.0.0.1:22000/')
    await refused(/not public \(loopback\)/)
    to('http://10.0.0.1/')
    await refused(/not public \(private\)/)
    to('http://[::1]/')
    await refused(/not public/)
    to('http://metadata.internal/')
    await refused(/private network/)
    to('file:///etc/passwd')
    await refused(/only http and https/)
    await refused(/not public \(loopback\)/, 'http://127.0.0.1:22000/')
  })
})
