import { expect } from 'chai'
import { Secret, TOTP, URI } from 'otpauth'
import { enrolmentOf, stepOf, typedCode } from '../../../api/accounts/second-factor/code.ts'
import { newRecoveryCodes, recoveryDigest } from '../../../api/accounts/second-factor/recovery-codes.ts'
import { secretsOf } from '../../../infra/runtime/secrets.ts'

const secrets = secretsOf(Buffer.from('a master secret of a test, 32 bytes'))
const AT = Date.parse('2026-03-01T09:00:10.000Z')
const STEP_MS = 30_000

const appOf = (nonce: string): TOTP => {
  const app = URI.parse(enrolmentOf(secrets, { nonce, issuer: 'Millrace (app.example)', label: 'a@b.example' }).uri)
  if (!(app instanceof TOTP)) throw new Error('no app of this kind')
  return app
}

describe('one-time codes', () => {
  const app = appOf('one')
  const stepsOff = (steps: number) =>
    stepOf(secrets, { nonce: 'one', code: app.generate({ timestamp: AT + steps * STEP_MS }), at: AT })

  it('16 17: a code may be one step early or late, and no more', () => {
    const now = TOTP.counter({ timestamp: AT })
    expect([-1, 0, 1].map(stepsOff)).to.deep.equal([now - 1, now, now + 1])
    expect([-3, -2, 2, 3].map(stepsOff)).to.deep.equal([undefined, undefined, undefined, undefined])
  })

  it('16 17: six ASCII digits are a code; spaces do not count, digits of other scripts are refused', () => {
    expect(['123456', ' 123 456 ', '123\u00a0456', '1 2 3 4 5 6'].map(typedCode)).to.deep.equal(Array(4).fill('123456'))
    for (const typed of [
      null,
      '',
      '12345',
      '1234567',
      '１２３４５６',
      '١٢٣٤٥٦',
      '12345a',
      '-12345',
      '12345.',
      '1e5000',
    ])
      expect(typedCode(typed), String(typed)).to.equal(undefined)
  })

  it('gives each nonce a secret of its own, which apps take as it is', () => {
    expect(app).to.include({ algorithm: 'SHA1', digits: 6, period: 30, label: 'a@b.example' })
    expect(app.secret.bytes).to.have.length(20)
    expect(appOf('two').secret.base32).not.to.equal(app.secret.base32)
    const { typed, qrCode } = enrolmentOf(secrets, { nonce: 'one', issuer: 'Millrace', label: '"><script>' })
    expect(Secret.fromBase32(typed.replaceAll(' ', '')).hex).to.equal(app.secret.hex)
    expect(qrCode.text).to.match(/^<svg [^>]+><rect [^>]+><path fill="black" d="[MhvzH\d,.-]+"\/><\/svg>$/)
  })
})

describe('recovery codes', () => {
  it('16 19: are ten different ones, and known by digests that the installation alone can make', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).to.equal(10)
    for (const code of codes) expect(code).to.match(/^[2-9a-hjkmnp-z]{4}(-[2-9a-hjkmnp-z]{4}){2}$/)
    const [one = '', other = ''] = codes
    const digest = recoveryDigest(secrets, 1, one)
    expect(recoveryDigest(secrets, 1, ` ${one.toUpperCase().replaceAll('-', ' ')}`)).to.equal(digest)
    expect(recoveryDigest(secrets, 1, other)).not.to.equal(digest)
    expect(recoveryDigest(secrets, 2, one)).not.to.equal(digest)
    expect(recoveryDigest(secretsOf(Buffer.alloc(32)), 1, one)).not.to.equal(digest)
  })
})
