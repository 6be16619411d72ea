import { expect } from 'chai'
import { argon2id, type Hasher, isComputed, passwords } from '../../../api/accounts/passwords.ts'
import { slowing } from '../../../api/accounts/slowing.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { secretsFrom } from '../../support/secrets.ts'

const SECRETS = secretsFrom(() => new Uint8Array(32))

/** Hasher whose runs end when the test says so. */
const heldHasher = () => {
  const waiting: (() => void)[] = []
  let most = 0
  const wait = async <T>(result: T): Promise<T> => {
    await new Promise<void>((go) => {
      waiting.push(go)
      most = Math.max(most, waiting.length)
    })
    return result
  }
  const hasher: Hasher = { hash: (password) => wait(password), verify: (digest, password) => wait(digest === password) }
  return { hasher, waiting, most: () => most }
}

const settled = () => new Promise((go) => setImmediate(go))

describe('checking passwords', () => {
  it('16 4: runs argon2 once, with the same cost, whether there is a password to compare with or not', async () => {
    const real = argon2id(SECRETS)
    const runs: string[] = []
    const counting: Hasher = {
      ...real,
      verify(digest, password) {
        runs.push(digest.split('$').slice(1, 4).join('$'))
        return real.verify(digest, password)
      },
    }
    const { isRight } = passwords(counting)
    const digest = await real.hash('a long enough password')
    expect(await isRight('a long enough password', digest, 'a')).to.equal(true)
    expect(await isRight('wrong password', digest, 'a')).to.equal(false)
    expect(await isRight('wrong password', null, 'a')).to.equal(false)
    expect(await isRight('wrong password', undefined, 'a')).to.equal(false)
    expect(new Set(runs)).to.deep.equal(new Set(['argon2id$v=19$m=19456,t=2,p=1']))
    expect(runs).to.have.length(4)
  })

  it('computes no stored digest that costs absurdly much, and takes one that is none for a wrong password', async () => {
    const real = argon2id(SECRETS)
    const digest = await real.hash('a long enough password')
    const { isRight } = passwords(real)
    const [, , , cost = ''] = digest.split('$')
    const broken = [
      'm=1048576,t=2,p=1',
      'm=19456,t=400,p=1',
      'm=19456,t=2,p=200',
      'm=0,t=2,p=1',
      'm=19456,t=0,p=1',
      'm=x',
    ]
    for (const one of [...broken.map((other) => digest.replace(cost, other)), 'nonsense', '', digest.slice(0, -30)]) {
      expect(isComputed(one), one).to.equal(false)
      expect(await isRight('a long enough password', one, 'a'), one).to.equal(false)
    }
    expect(isComputed(digest)).to.equal(true)
    expect(await isRight('a long enough password', digest, 'a')).to.equal(true)
  })

  it('16 5: runs so many at once, lets a short line wait, and refuses the rest with a time to wait', async () => {
    const { hasher, waiting, most } = heldHasher()
    const { isRight } = passwords(hasher, 2)
    const refusals: unknown[] = []
    const checks = Array.from({ length: 200 }, (_, at) =>
      isRight('password', 'password', `address ${at}`).catch((error: unknown) => refusals.push(error)),
    )
    await settled()
    expect(waiting).to.have.length(2)
    expect(refusals).to.have.length(200 - 34)
    expect(
      refusals.every((one) => one instanceof Refusal && one.kind === 'unavailable' && one.retryAfter === 2),
    ).to.equal(true)
    for (let run = 0; run < 34; run++) {
      waiting.shift()?.()
      await settled()
    }
    await Promise.all(checks)
    expect(most()).to.equal(2)
    const last = isRight('password', 'password', 'address 1')
    await settled()
    waiting.shift()?.()
    expect(await last).to.equal(true)
  })

  it('16 5: lets one address have a share of the line alone', async () => {
    const { hasher } = heldHasher()
    const { isRight } = passwords(hasher, 2)
    const refusals: unknown[] = []
    for (let at = 0; at < 20; at++) void isRight('x', 'y', 'one address').catch((error) => refusals.push(error))
    await settled()
    expect(refusals).to.have.length(12)
  })

  it('compares letters that keyboards write in two ways as the same', async () => {
    const { isRight, digestOf } = passwords(argon2id(SECRETS))
    expect(await isRight('u\u0308ber-long-password', await digestOf('\u00fcber-long-password', 'a'), 'a')).to.equal(
      true,
    )
  })

  it('takes a digest for nothing without the secret of the installation', async () => {
    const digest = await argon2id(SECRETS).hash('a long enough password')
    const other = argon2id(secretsFrom(() => new Uint8Array(32).fill(1)))
    expect(await other.verify(digest, 'a long enough password')).to.equal(false)
  })
})

describe('slowing attempts that fail', () => {
  const refused = (error: unknown) => error instanceof Refusal && error.kind === 'tooMany'

  it('16 7: counts by address and account, and takes a success back', async () => {
    const { begin } = slowing(true)
    const attempt = { source: '203.0.113.1', account: 'owner@example.com' }
    for (let at = 0; at < 30; at++) (await begin(attempt))()
    for (let at = 0; at < 10; at++) await begin(attempt)
    expect(await begin(attempt).catch(refused)).to.equal(true)
    expect(await begin({ ...attempt, account: 'other@example.com' })).to.be.a('function')
    expect(await begin({ ...attempt, source: '203.0.113.2' })).to.be.a('function')
  })

  it('16 7: counts by address whatever the account', async () => {
    const { begin } = slowing(true)
    for (let at = 0; at < 100; at++) await begin({ source: 'one', account: `a${at}@example.com` })
    expect(await begin({ source: 'one', account: 'b@example.com' }).catch(refused)).to.equal(true)
  })

  it('16 7: only delays what is counted by account alone', async () => {
    const { begin } = slowing(true)
    const attempts = Array.from({ length: 100 }, (_, at) =>
      begin({ source: `address ${at}`, account: 'owner@example.com' }),
    )
    for (const succeed of await Promise.all(attempts)) expect(succeed).to.be.a('function')
  })
})
