import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import type { MailLink } from '../../domain/kernel/ports/mail-links.ts'
import { mailLinks } from '../../infra/mail/links.ts'
import { linksWarning } from '../../infra/mail/reach.ts'
import { mailSettingsIn } from '../../infra/mail/settings.ts'
import { seedOfRun } from '../support/random.ts'
import { secretsFrom } from '../support/secrets.ts'

const secretsOf = (master: string) =>
  secretsFrom((purpose, nonce) => createHash('sha256').update(`${master} ${purpose} ${nonce}`).digest())
const ORIGIN = 'https://mail.shop.example'
const links = mailLinks(secretsOf('ours'), () => ORIGIN)
const tokenOf = (url: string): string => url.slice(`${ORIGIN}/m/`.length)

const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

describe('Links of mails', () => {
  it('are read as they were made, for any destination', () => {
    const link = fc.oneof(
      fc.record({ kind: fc.constantFrom('open', 'unsubscribe', 'preferences', 'confirm'), deliveryId: ids }),
      fc.record({ kind: fc.constant('click'), deliveryId: ids, number: fc.nat(), url: fc.webUrl() }),
    ) as fc.Arbitrary<MailLink>
    fc.assert(
      fc.property(link, (made) => {
        const url = links.urlOf(made)
        expect(links.isOwn(url)).to.equal(true)
        expect(links.read(tokenOf(url))).to.deep.equal(made)
      }),
      { seed: seedOfRun() },
    )
  })

  it('14 14: of headers are short, https, and hold no address', () => {
    const url = links.urlOf({ kind: 'unsubscribe', deliveryId: 2 ** 50 })
    expect(url).to.match(/^https:\/\//)
    expect(tokenOf(url)).to.have.length.below(32)
  })

  it('14 62: are nothing once a character of them is changed, also where the destination is', () => {
    const token = tokenOf(links.urlOf({ kind: 'click', deliveryId: 5, number: 3, url: 'https://good.example/' }))
    for (const at of token.split('').keys()) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(links.read(token.slice(0, at) + other + token.slice(at + 1)), `character ${at}`).to.equal(undefined)
    }
    for (const torn of ['', 'x', token.slice(1), `${token}A`, `${token}=`]) expect(links.read(torn)).to.equal(undefined)
    const others = mailLinks(secretsOf('theirs'), () => ORIGIN)
    expect(others.read(token)).to.equal(undefined)
  })

  it('14 67: name a delivery by a return path that only we can make, whatever happens to its capitals', () => {
    const path = links.returnPath(2 ** 45 + 7, 'bounces.shop.example')
    expect(path.split('@')[0]).to.have.length.below(65)
    expect(links.deliveryOf(path)).to.equal(2 ** 45 + 7)
    expect(links.deliveryOf(path.toUpperCase().replace('B+', 'b+'))).to.equal(2 ** 45 + 7)
    const forged = path.replace(/^b\+../, (start) => (start === 'b+00' ? 'b+11' : 'b+00'))
    for (const other of [forged, 'ada@far.example', 'b+@x.example', 'b+zz@x.example'])
      expect(links.deliveryOf(other), other).to.equal(undefined)
  })

  it('14 72: name a delivery by a Message-ID that only we can make, and by none of the other tokens', () => {
    const id = links.messageId(9, 'shop.example')
    expect(id).to.match(/^[0-9a-f]+@shop\.example$/)
    expect(links.deliveryOfMessage(id)).to.equal(9)
    const path = links.returnPath(9, 'shop.example').slice(2)
    expect(links.deliveryOfMessage(path), 'a return path').to.equal(undefined)
    expect(links.deliveryOfMessage('own.123@shop.example')).to.equal(undefined)
    expect(links.read(Buffer.from(id.split('@')[0] ?? '', 'hex').toString('base64url'))).to.equal(undefined)
  })

  it('are warned of where recipients cannot follow them, unless mails are kept', () => {
    const { servers } = mailSettingsIn({ SMTP_URL: 'smtp://relay.example:587' })
    const hosts = [
      '127.0.0.1',
      'localhost',
      'demo.localhost',
      '[::1]',
      '10.1.2.3',
      '192.168.0.4',
      '[fd00::1]',
      'intranet',
    ]
    for (const origin of ['', ...hosts.map((host) => `http://${host}:5211`)]) {
      expect(linksWarning({ servers }, origin), origin).to.include('Set MILLRACE_PUBLIC_URL').and.include(origin)
      expect(linksWarning({ servers: [] }, origin), origin).to.equal(undefined)
    }
    for (const origin of [
      'https://files.example.com',
      'https://files.example.com/a',
      'http://8.8.8.8',
      'http://[2606:4700::1]',
    ])
      expect(linksWarning({ servers }, origin), origin).to.equal(undefined)
  })
})
