import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { losesDigits, lossyNumbersIn } from '../../../api/http/lossy-numbers.ts'
import { handlingIn } from '../../../api/http/preferences.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('bodies', () => {
  let service: TestService
  let tenant: Tenant
  let contacts: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
  })

  const post = (path: string, raw: string, headers: Record<string, string> = {}) =>
    tenant.api.post(path, undefined, { raw, headers })

  describe('in another form than UTF-8', () => {
    const send = async (bytes: Buffer, type: string) => {
      const response = await fetch(`${service.url}/api/v2${contacts}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.token}`, 'content-type': type },
        body: new Uint8Array(bytes),
      })
      return { status: response.status, body: (await response.json()) as { error: string; first_name?: string } }
    }
    const named = (name: string) => `{"contact":{"first_name":"${name}","phone_number":"1"}}`

    it('are refused, and nothing is made of them', async () => {
      for (const bytes of [Buffer.from(named('Zoë'), 'latin1'), Buffer.from(`${named('a')}\xff`, 'latin1')]) {
        const { status, body } = await send(bytes, 'application/json')
        expect([status, body.error]).to.deep.equal([400, 'Bad request: HTTP body must be in UTF-8'])
      }
      expect((await send(Buffer.from(named('Zoë'), 'utf16le'), 'application/json')).status).to.equal(400)
      expect((await tenant.api.get(contacts)).body).to.deep.equal([])
    })

    it('are refused by the charset that they are announced in', async () => {
      for (const charset of ['iso-8859-1', 'utf-16', '"windows-1252"', 'UTF-16LE; x=y']) {
        const { status, body } = await send(Buffer.from(named('a')), `application/json; charset=${charset}`)
        expect(status, charset).to.equal(415)
        expect(body.error).to.match(/^Unsupported media type: /)
      }
      for (const charset of ['utf-8', '"UTF-8"', "'utf-8'", '"us-ascii"; x=y', 'utf8', 'us-ascii'])
        expect((await send(Buffer.from(named('a')), `application/json;charset=${charset}`)).status).to.equal(201)
    })

    it('are told from those with a byte order mark, in which every letter is kept', async () => {
      const { status, body } = await send(Buffer.from(`\ufeff${named('Zoë 🎉')}`), 'application/json')
      expect([status, body.first_name]).to.deep.equal([201, 'Zoë 🎉'])
    })
  })

  describe('in a coding', () => {
    const send = async (bytes: Buffer, coding: string) => {
      const headers = { authorization: `Bearer ${tenant.token}`, 'content-encoding': coding }
      const sent = { method: 'POST', headers, body: new Uint8Array(bytes) }
      const response = await fetch(`${service.url}/api/v2${contacts}`, sent)
      return { status: response.status, body: (await response.json()) as { error: string; first_name?: string } }
    }
    const named = Buffer.from('{"contact":{"first_name":"Ada","phone_number":"2"}}')

    it('are read by any name of the coding, in any case', async () => {
      const bodies = { gzip: gzipSync(named), deflate: deflateSync(named), br: brotliCompressSync(named) }
      for (const [coding, bytes] of [
        ['GZIP', bodies.gzip],
        ['x-gzip', bodies.gzip],
        ['X-GZip', bodies.gzip],
        [' gzip ', bodies.gzip],
        ['Deflate', bodies.deflate],
        ['BR', bodies.br],
        ['Identity', named],
        ['', named],
      ] as const) {
        const { status, body } = await send(bytes, coding)
        expect([status, body.first_name], coding).to.deep.equal([201, 'Ada'])
      }
    })

    it('that is not read are refused by its name, at every listener', async () => {
      for (const coding of ['zstd', 'compress', 'gzip, gzip', 'gzip;q=1', 'nonsense']) {
        const { status, body } = await send(named, coding)
        expect(status, coding).to.equal(415)
        expect(body.error).to.match(/^Unsupported media type: /)
      }
      const sent = { method: 'POST', body: 'a=b', headers: { 'content-encoding': 'gzip', ...FORM } }
      for (const [url, status] of [
        [`${service.sdkUrl}/submit`, 415],
        [`${service.url}/oauth/token`, 415],
        [`${service.url}/oauth/register`, 415],
        [`http://localhost:${new URL(service.url).port}/sign-in`, 415],
      ] as const)
        expect((await fetch(url, sent)).status, url).to.equal(status)
    })
  })

  describe('with numbers that lose digits', () => {
    const withAttribute = (number: string) => `{"contact":{"phone_number":"1","custom_attributes":{"n":${number}}}}`

    it('are refused, and the field is named', async () => {
      for (const number of ['9007199254740993', '-12345678901234567890', '1e400', '0.12345678901234567890', '1e16']) {
        const { status, body } = await post(contacts, withAttribute(number))
        expect(status, number).to.equal(422)
        expect(body.details[0]).to.include({ field: 'contact.custom_attributes.n', code: 'precision' })
      }
      const inList = await post(contacts, '{"contact":{"phone_number":"1","tag_ids":[1,9007199254740993]}}')
      expect(inList.body.details[0]).to.include({ field: 'contact.tag_ids.1', code: 'precision' })
    })

    it('are told from those whose numbers are kept', async () => {
      const numbers = { '9007199254740991': '9007199254740991', '-0.1': '-0.1', '1.50': '1.5', '12e2': '1200' }
      for (const [number, stored] of Object.entries(numbers)) {
        const { status, body } = await post(contacts, withAttribute(number))
        expect(status, number).to.equal(201)
        expect(body.custom_attributes).to.deep.equal({ n: stored })
      }
      const text = await post(contacts, withAttribute('"9007199254740993"'))
      expect(text.body.custom_attributes).to.deep.equal({ n: '9007199254740993' })
      const ignored = await post(contacts, '{"contact":{"phone_number":"1","nothing":9007199254740993}}')
      expect(ignored.status).to.equal(201)
    })

    it('are found by digits, for every number that JSON can write', async () => {
      fc.assert(
        fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
          const isBig = Number.isInteger(number) && !Number.isSafeInteger(number)
          expect(losesDigits(JSON.stringify(number)), String(number)).to.equal(isBig)
        }),
      )
      fc.assert(
        fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }), (number) => {
          expect(losesDigits(String(number))).to.equal(true)
        }),
      )
      for (const kept of ['0', '-0', '0.0', '1.000000000000000000000', '0.10000000000000001', '1E+2', '100e-2'])
        expect(losesDigits(kept), kept).to.equal(false)
      const deep = `{"a":[{"b":1},{"c":${'9'.repeat(30)}}],"d":"${'9'.repeat(30)}"}`
      expect(await lossyNumbersIn(deep)).to.deep.equal([['a', 1, 'c']])
    })

    it('are found in linear time', async () => {
      const started = performance.now()
      for (const text of [
        `[${'0'.repeat(1)},1${'0'.repeat(900_000)}1]`,
        `"${'9'.repeat(900_000)}"`,
        `[${'1e9,'.repeat(250_000)}1]`,
      ])
        await lossyNumbersIn(text)
      // In quadratic time they take minutes.
      expect(performance.now() - started).to.be.below(20_000)
    })
  })

  describe('with unknown fields', () => {
    const body = { contact: { phone_number: '1', nickname: 'A', visits: {} }, extra: 1 }

    it('have them named in a header', async () => {
      const made = await tenant.api.post(`${contacts}?colour=red`, body)
      expect(made.status).to.equal(201)
      expect(made.headers.get('millrace-ignored')).to.equal('extra, contact.nickname, contact.visits, colour')
      expect(made.headers.has('preference-applied')).to.equal(false)
      const known = await tenant.api.post(contacts, { contact: { phone_number: '1' } })
      expect(known.headers.has('millrace-ignored')).to.equal(false)
    })

    it('have them named when the request is refused for another reason', async () => {
      const refused = await tenant.api.post(contacts, { contact: { email_adress: 'a', email_address: 'a' } })
      expect([refused.status, refused.headers.get('millrace-ignored')]).to.deep.equal([422, 'contact.email_adress'])
    })

    it('are refused by clients that prefer strict handling, and nothing is made', async () => {
      const before = (await tenant.api.get(`${contacts}?sort_order=desc`)).body
      const headers = { prefer: 'respond-async, handling=strict; x=y, handling=lenient' }
      const refused = await tenant.api.post(contacts, body, { headers })
      expect(refused.status).to.equal(422)
      expect(refused.headers.get('preference-applied')).to.equal('handling=strict')
      expect(refused.body.details).to.deep.equal([
        { field: 'extra', code: 'unknown', message: 'extra is not known' },
        { field: 'contact.nickname', code: 'unknown', message: 'contact.nickname is not known' },
        { field: 'contact.visits', code: 'unknown', message: 'contact.visits is not known' },
      ])
      expect((await tenant.api.get(`${contacts}?sort_order=desc`)).body).to.deep.equal(before)
      const strict = await tenant.api.post(contacts, { contact: { phone_number: '1' } }, { headers })
      expect([strict.status, strict.headers.get('preference-applied')]).to.deep.equal([201, 'handling=strict'])
      const query = await tenant.api.get(`${contacts}?colour=red`, { headers })
      expect([query.status, query.body.details[0].field]).to.deep.equal([400, 'colour'])
    })

    it('are found inside objects and lists of objects', async () => {
      const location = {
        name: 'Store',
        address_name: 'Store',
        email_address: 'store@example.com',
        address: { address_one: 'One', street: 'Two' },
      }
      const made = await tenant.api.post(`/workspaces/${tenant.workspaceId}/fulfillments/locations`, {
        fulfillments_location: location,
      })
      expect(made.headers.get('millrace-ignored')).to.equal('fulfillments_location.address.street')
    })

    it('cannot break the header, whatever they are called', async () => {
      const names = ['a\r\nSet-Cookie: x=1', 'ключ', '\ud800', 'a, b', '', '%0d', 'x'.repeat(5000)]
      const unknown = Object.fromEntries(
        [...names, ...Array.from({ length: 500 }, (_, at) => `n${at}`)].map((n) => [n, 1]),
      )
      const made = await tenant.api.post(contacts, { contact: { phone_number: '1', ...unknown } })
      const header = made.headers.get('millrace-ignored') ?? ''
      expect(made.status).to.equal(201)
      expect(made.headers.get('set-cookie')).to.equal(null)
      expect(header).to.match(/^[\x21-\x7e]+(, [\x21-\x7e]+)*$/)
      expect(header.split(', ')).to.have.length(20)
      expect(header.length).to.be.below(3000)
      expect(header).to.include('contact.a%0D%0ASet-Cookie%3A%20x%3D1')
    })

    it('know a preference in every spelling of RFC 7240', () => {
      for (const text of ['handling=strict', 'Handling="strict"', 'wait=1, handling = strict', 'handling=strict;a=b'])
        expect(handlingIn(text), text).to.equal('strict')
      expect(handlingIn('handling=lenient, handling=strict')).to.equal('lenient')
      for (const text of ['', 'handling', 'handling=other', 'nothandling=strict'])
        expect(handlingIn(text)).to.equal(undefined)
    })
  })
})

describe('filters of lists', () => {
  let tenant: Tenant
  let contacts: string
  let ids: number[]
  before(async () => {
    tenant = await (await testService()).tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
    ids = []
    for (const name of ['a', 'b', 'c'])
      ids.push((await tenant.api.post(contacts, { contact: { email_address: `${name}@example.com` } })).body.id)
  })

  const idsAt = async (query: string) => {
    const { status, body } = await tenant.api.get(`${contacts}?${query}`)
    expect(status, query).to.equal(200)
    return body.map(({ id }: { id: number }) => id)
  }

  it('take several values in every form that clients write lists in', async () => {
    const [one, two] = ids
    const forms = [
      `filter[id]=${one},${two}`,
      `filter[id][]=${one}&filter[id][]=${two}`,
      `filter[id][0]=${one}&filter[id][1]=${two}`,
      `filter%5Bid%5D%5B0%5D=${one}&filter%5Bid%5D%5B1%5D=${two}`,
      `filter[id]=${one}&filter[id]=${two}`,
      `filter[id][]=${one},${two}`,
      'filter[email_address][0]=a@example.com&filter[email_address][1]=B@example.com',
    ]
    for (const form of forms) expect(await idsAt(form), form).to.deep.equal([one, two])
    expect(await idsAt(`filter[id][]=${one}&filter[id][]=${two}&filter[email_address]=a@example.com`)).to.deep.equal([
      one,
    ])
  })

  it('are refused by name when they are misspelt, and never ignored', async () => {
    const wrong = {
      'filter[emial_address]=a': 'emial_address',
      'filter[emial_address][0]=a': 'emial_address',
      'filter[id][a]=1': 'filter[id][a]',
      'filter[id=1': 'filter[id',
      'filter[id]x=1': 'filter[id]x',
      'filter=1': 'filter',
      'filter.id=1': 'filter.id',
      'filters[id]=1': 'filters[id]',
      'Filter[id]=1': 'Filter[id]',
      'filter[]=1': '',
    }
    for (const [query, name] of Object.entries(wrong)) {
      const { status, body } = await tenant.api.get(`${contacts}?${query}`)
      expect([status, body.error], query).to.deep.equal([400, `Bad request: found unpermitted parameter: :${name}`])
    }
  })

  it('leave other parameters alone, which are named as ignored', async () => {
    const { status, headers } = await tenant.api.get(
      `${contacts}?page=2&per_page=5&sort_order=asc&filter[id]=${ids[0]}`,
    )
    expect([status, headers.get('millrace-ignored')]).to.deep.equal([200, 'page, per_page'])
    expect((await tenant.api.get(`${contacts}?sort_property=nonsense`)).status).to.equal(400)
  })
})
