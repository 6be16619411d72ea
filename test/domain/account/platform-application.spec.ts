import { expect } from 'chai'
import { platformApplication } from '../../../domain/account/platform/application/model.ts'
import { platformApplications } from '../../../domain/account/platform/application/rules.ts'
import { clientSecretOf } from '../../../domain/account/platform/application/secret.ts'
import { parseFields } from '../../../domain/kernel/model/parse.ts'
import { publicIds } from '../../../domain/kernel/values/public-ids.ts'
import { ask, given } from '../../support/decider.ts'
import { secretsFrom } from '../../support/secrets.ts'

const ids = publicIds((kind) => new TextEncoder().encode(kind.padEnd(64, 'x')))

const fields = { name: 'Ledger', redirect_uris: ['https://ledger.example/callback'] }
const client = { clientId: 'c1', nonce: 'n1' }

const registered = (changes: object = {}) => ({
  type: 'PlatformApplicationRegistered',
  data: { ...fields, confidential: true, shared: false, client_id: 'c1', secret_nonce: 'n1', ...changes },
})

describe('platform application', () => {
  it('is registered with each redirect address once', () => {
    const twice = [...fields.redirect_uris, ...fields.redirect_uris]
    given(platformApplications)
      .when(ask('create', { ...fields, redirect_uris: twice, ...client }))
      .then(registered())
  })

  it('16 27: has redirect addresses that browsers read as they are written', () => {
    for (const uri of [
      '',
      'https://a.example:70000',
      'https://1.2.3.4.5/',
      'https://0x7f.1/',
      'https://[2001:0db8::1]/',
    ])
      given(platformApplications)
        .when(ask('create', { ...fields, redirect_uris: [uri], ...client }))
        .refuses('invalid', `Redirect uris has what is no address: "${uri}"`)
  })

  it('keeps its client id and its secret when it is changed', () => {
    given(platformApplications, registered())
      .when(ask('change', { name: 'Books', clientId: 'c2', nonce: 'n2' }))
      .then({ type: 'PlatformApplicationChanged', data: { name: 'Books' } })
  })

  it('has a name without control characters, line breaks and direction marks', () => {
    for (const mark of ['\n', '\u0007', '\u0085', '\u2028', '\u202e', '\u200f', '\u2066', '\u061c'])
      given(platformApplications)
        .when(ask('create', { ...fields, name: `Led${mark}ger`, ...client }))
        .refuses('invalid', 'Name must not have control characters, line breaks or direction marks')
    given(platformApplications)
      .when(ask('create', { ...fields, name: 'دفتر 帳簿 👩‍💻', ...client }))
      .then(registered({ name: 'دفتر 帳簿 👩‍💻' }))
  })

  it('gets a new secret if it can keep one', () => {
    given(platformApplications, registered())
      .when(ask('rotate', { nonce: 'n2' }))
      .then({ type: 'PlatformApplicationSecretRotated', data: { secret_nonce: 'n2' } })
    given(platformApplications, registered({ confidential: false }))
      .when(ask('rotate', { nonce: 'n2' }))
      .refuses('invalid', 'A public application has no secret')
  })

  it('16 34: the secret has only letters, digits, _ and -, and changes with each rotation', () => {
    // Every byte, so that each character of the alphabet is written.
    const secrets = secretsFrom((purpose, nonce) =>
      Uint8Array.from({ length: 32 }, (_, n) => (n * 8 + nonce.length + purpose.length) % 256),
    )
    const of = (secret_nonce: string, confidential = true) =>
      clientSecretOf(secrets, { id: 1, confidential, secret_nonce })
    expect(of('n')).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(of('n')).not.to.equal(of('nn'))
    expect(of('n', false)).to.equal(null)
  })
})

describe('redirect address', () => {
  const parse = (uri: string) =>
    parseFields(platformApplication.attributes, { ...fields, redirect_uris: [uri] }, 'create', { ids })

  it('16 27: is kept byte for byte, of https or, for localhost alone, of http', () => {
    const allowed = [
      'https://ledger.example/callback',
      'https://ledger.example/callback/',
      'https://ledger.example',
      'https://ledger.example:8443/Call%20back?from=millrace&x=1',
      'https://192.0.2.7/callback',
      'https://[2001:db8::1]:8443/callback',
      'http://localhost/callback',
      'http://localhost:3000/callback?x=1',
    ]
    for (const uri of allowed) {
      const { values, details } = parse(uri)
      expect(details, uri).to.deep.equal([])
      expect(values.redirect_uris).to.deep.equal([uri])
    }
  })

  it('16 27: is refused with a fragment, user information, a wildcard, another scheme or host, or what browsers rewrite', () => {
    const refused = [
      'http://ledger.example/callback',
      'http://127.0.0.1:3000/callback',
      'http://[::1]:3000/callback',
      'http://localhost.example/callback',
      'http://localhost@ledger.example/callback',
      'http://LOCALHOST/callback',
      'HTTPS://ledger.example/callback',
      'https://Ledger.example/callback',
      'https://ledger.example/callback#part',
      'https://me:secret@ledger.example/callback',
      'https://*.ledger.example/callback',
      'https://ledger.example/*',
      'https://ledger.example/callback\n',
      ' https://ledger.example/callback',
      'https://ledger.example\\callback',
      'https://ledger.example/call back',
      'https://lédger.example/callback',
      'https:ledger.example/callback',
      '//ledger.example/callback',
      'javascript:alert(1)',
      'data:text/html,hello',
      'file:///etc/passwd',
      'cursor://callback',
    ]
    for (const uri of refused) {
      const { details } = parse(uri)
      expect(details, uri).to.have.length(1)
      expect(details[0]).to.include({ field: 'redirect_uris' })
    }
  })
})
