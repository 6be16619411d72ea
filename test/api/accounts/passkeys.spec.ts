import { expect } from 'chai'
import { newChallenge, spendChallenge } from '../../../api/accounts/passkeys/challenge.ts'
import { relyingPartyOf } from '../../../api/accounts/passkeys/relying-party.ts'
import {
  checkNewPasskey,
  checkPasskey,
  creationOptions,
  handleIn,
  requestOptions,
} from '../../../api/accounts/passkeys/webauthn.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { secretsOf } from '../../../infra/runtime/secrets.ts'
import { Authenticator } from '../../support/authenticator.ts'

const PARTY = { id: 'accounts.example.com', origin: 'https://accounts.example.com' }
const OWNER = { handle: '7.abc', address: 'owner@example.com', passkeys: [] }
const CHALLENGE = Buffer.from('challenge of a test').toString('base64url')

const isOwn = async (challenge: string): Promise<boolean> => challenge === CHALLENGE
const isAnothers = async (): Promise<boolean> => false

describe('passkeys', () => {
  const register = async (key: Authenticator, said: Parameters<Authenticator['create']>[2] = {}) => {
    const options = await creationOptions(PARTY, OWNER, CHALLENGE)
    return checkNewPasskey(PARTY, key.create(options, PARTY.origin, said), isOwn)
  }
  const registered = async (key: Authenticator, counter = 0) => {
    const made = await register(key, { counter })
    if (typeof made === 'string') throw new Error(made)
    return made
  }

  it('16 22: belong to the host of the configured address, and to no domain above it', () => {
    expect(relyingPartyOf('https://accounts.example.com')).to.deep.equal(PARTY)
    expect(relyingPartyOf('https://accounts.example.com:8443')).to.deep.equal({
      ...{ id: 'accounts.example.com', origin: 'https://accounts.example.com:8443' },
    })
    expect(relyingPartyOf('http://localhost:3000')).to.deep.equal({ id: 'localhost', origin: 'http://localhost:3000' })
  })

  it('16 22: are not there where the address is a number, or plain and not this machine', () => {
    for (const url of ['http://192.168.1.5:3000', 'https://192.168.1.5', 'http://127.0.0.1:3000', 'https://[::1]:3000'])
      expect(relyingPartyOf(url), url).to.equal('number')
    for (const url of ['http://name.local', 'http://millrace:3000', 'http://localhost.example.com'])
      expect(relyingPartyOf(url), url).to.equal('plain')
  })

  it('16 21: ask for the verification of the user, when they are made and when they sign', async () => {
    const made = await creationOptions(PARTY, OWNER, CHALLENGE)
    expect(made.authenticatorSelection).to.include({ userVerification: 'required', residentKey: 'required' })
    expect(made.rp.id).to.equal(PARTY.id)
    expect(made.challenge).to.equal(CHALLENGE)
    const asked = await requestOptions(PARTY, CHALLENGE)
    expect(asked).to.include({ userVerification: 'required', rpId: PARTY.id, challenge: CHALLENGE })
  })

  it('16 21: do not count without it', async () => {
    expect(await register(new Authenticator(), { isVerified: false })).to.equal('unverified')
    const key = new Authenticator()
    const passkey = await registered(key)
    const answer = key.get(await requestOptions(PARTY, CHALLENGE), PARTY.origin, { isVerified: false })
    expect(await checkPasskey(PARTY, passkey, answer, isOwn)).to.equal('unverified')
  })

  it('16 20: sign whatever their counters say, which is told', async () => {
    const key = new Authenticator()
    const passkey = await registered(key, 5)
    expect(passkey).to.deep.include({ id: key.id, counter: 5, is_synced: false, transports: ['internal'] })
    const options = await requestOptions(PARTY, CHALLENGE)
    for (const counter of [0, 0, 6, 5, 1]) {
      const answer = key.get(options, PARTY.origin, { counter })
      expect(handleIn(answer)).to.equal(OWNER.handle)
      expect(await checkPasskey(PARTY, { ...passkey, id: key.id }, answer, isOwn)).to.deep.equal({
        ...{ id: key.id, counter, is_synced: false },
      })
    }
  })

  it('do not count for another challenge, origin or host, with another key, or changed', async () => {
    const key = new Authenticator()
    const passkey = await registered(key)
    const options = await requestOptions(PARTY, CHALLENGE)
    const check = (answer: object, isChallenge = isOwn) =>
      checkPasskey(PARTY, passkey, JSON.parse(JSON.stringify(answer)) as JsonObject, isChallenge)
    const good = key.get(options, PARTY.origin)
    expect(await check(good)).to.be.an('object')
    expect(await check(good, isAnothers)).to.equal('invalid')
    expect(await check(key.get(options, 'https://example.com'))).to.equal('invalid')
    expect(await check(key.get(options, 'https://shop.accounts.example.com'))).to.equal('invalid')
    expect(await check(key.get(options, PARTY.origin, { rpId: 'example.com' }))).to.equal('invalid')
    expect(await check(new Authenticator().get(options, PARTY.origin))).to.equal('invalid')
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const response: Record<string, string> = { ...good.response }
      response[name] = `${response[name]?.slice(0, -4)}CCCC`
      expect(await check({ ...good, response }), name).to.equal('invalid')
      expect(await check({ ...good, response: { ...response, [name]: 7 } }), name).to.equal('invalid')
    }
    for (const answer of [{}, { response: null }, { ...good, id: 5 }, { ...good, response: {} }])
      expect(await check(answer)).to.equal('invalid')
  })

  it('are made for this origin and host alone', async () => {
    const options = await creationOptions(PARTY, OWNER, CHALLENGE)
    const check = (answer: ReturnType<Authenticator['create']>, isChallenge = isOwn) =>
      checkNewPasskey(PARTY, answer, isChallenge)
    expect(await check(new Authenticator().create(options, PARTY.origin), isAnothers)).to.equal('invalid')
    expect(await check(new Authenticator().create(options, 'https://evil.example'))).to.equal('invalid')
    expect(await check(new Authenticator().create(options, PARTY.origin, { rpId: 'example.com' }))).to.equal('invalid')
  })
})

describe('challenges of passkeys', () => {
  const used = new Set<string>()
  let now = 1_000_000
  const deps = {
    secrets: secretsOf(Buffer.alloc(32, 1)),
    now: () => now,
    shortTerm: {
      async putNew({ key }: { readonly key: string }) {
        if (used.has(key)) return {}
        used.add(key)
        return undefined
      },
    },
  }

  it('serve once, for their purpose, for ten minutes', async () => {
    const challenge = newChallenge(deps, 'sign-in')
    expect(newChallenge(deps, 'sign-in')).not.to.equal(challenge)
    expect(await spendChallenge(deps, 'another', challenge)).to.equal(false)
    expect(await spendChallenge(deps, 'sign-in', challenge)).to.equal(true)
    expect(await spendChallenge(deps, 'sign-in', challenge)).to.equal(false)
    const late = newChallenge(deps, 'sign-in')
    now += 10 * 60_000
    expect(await spendChallenge(deps, 'sign-in', late)).to.equal(false)
  })

  it('of somebody else, changed ones and none are refused', async () => {
    const challenge = newChallenge(deps, 'sign-in')
    const foreign = newChallenge({ ...deps, secrets: secretsOf(Buffer.alloc(32, 2)) }, 'sign-in')
    for (const one of [foreign, '', 'AAAA', `B${challenge.slice(1)}`, `${challenge}AA`])
      expect(await spendChallenge(deps, 'sign-in', one), one).to.equal(false)
  })
})
