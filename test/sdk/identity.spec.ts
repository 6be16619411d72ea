import { expect } from 'chai'
import { identify } from '../../sdk/core/identity.ts'
import { takeTicket } from '../../sdk/core/ticket.ts'
import { fakeHost } from './support/fake-host.ts'

const KEY = 'cf_https_sdk_test_w1'

describe('identity of a visitor in the browser', () => {
  it('is kept in a cookie of the host alone, and found again', () => {
    const host = fakeHost()
    const identity = identify(host, 'w1')
    expect(identity.session()).to.equal(undefined)
    identity.keep('s1')
    expect([...host.cookies]).to.deep.equal([[KEY, `${identity.visitor()}s1`]])
    const again = identify(host, 'w1')
    expect([again.visitor(), again.session()]).to.deep.equal([identity.visitor(), 's1'])
  })

  it('13a-4 is kept in memory where the browser refuses cookies and storage', () => {
    const host = fakeHost()
    host.refuses = { cookies: true, storage: true }
    const identity = identify(host, 'w1')
    identity.keep('s1')
    identity.sync()
    expect(identity.session()).to.equal('s1')
    expect(identify({ ...host, storage: undefined }, 'w1').session()).to.equal(undefined)
  })

  it('is kept in storage where the browser refuses cookies', () => {
    const host = fakeHost()
    host.refuses = { cookies: true }
    identify(host, 'w1').keep('s1')
    expect(identify(host, 'w1').session()).to.equal('s1')
  })

  it('13a-15 is another for another workspace, and another installation', () => {
    const host = fakeHost()
    identify(host, 'w1').keep('s1')
    expect(identify(host, 'w2').session()).to.equal(undefined)
    expect(identify({ ...host, sdk: 'https://other.test' }, 'w1').session()).to.equal(undefined)
  })

  it('follows another tab', () => {
    const host = fakeHost()
    const [one, two] = [identify(host, 'w1'), identify(host, 'w1')]
    one.keep('s1')
    two.keep('s2')
    one.sync()
    expect([one.session(), two.session()]).to.deep.equal(['s2', 's2'])
  })

  it('13a-28 is in memory alone without consent', () => {
    const host = fakeHost()
    host.consent = 'denied'
    const identity = identify(host, 'w1')
    identity.keep('s1')
    expect([host.cookies.size, host.stored.size, identity.session()]).to.deep.equal([0, 0, 's1'])
    host.consent = 'granted'
    identity.sync()
    expect(host.cookies.get(KEY)).to.equal(`${identity.visitor()}s1`)
    host.consent = 'denied'
    identity.sync()
    expect([host.cookies.size, host.stored.size]).to.deep.equal([0, 0])
  })

  it('ends with the consent, also where nothing can be stored, and in other tabs', () => {
    for (const refuses of [{}, { cookies: true, storage: true }]) {
      const host = fakeHost()
      host.refuses = refuses
      const identity = identify(host, 'w1')
      identity.keep('s1')
      const former = identity.visitor()
      host.consent = 'denied'
      identity.sync()
      const nobody = identity.visitor()
      expect([nobody === former, nobody.length, identity.session()]).to.deep.equal([false, 22, undefined])
      identity.keep('s2')
      identity.sync()
      expect([identity.visitor(), identity.session()]).to.deep.equal([nobody, 's2'])
      host.consent = 'granted'
      identity.sync()
      expect([identity.visitor(), identity.session()]).to.deep.equal([nobody, 's2'])
    }
    const host = fakeHost()
    const [one, other] = [identify(host, 'w1'), identify(host, 'w1')]
    one.keep('s1')
    other.sync()
    const former = one.visitor()
    expect(other.visitor()).to.equal(former)
    host.consent = 'denied'
    one.sync()
    host.consent = 'granted'
    other.sync()
    expect([other.session(), other.visitor() === former, host.cookies.get(KEY)?.startsWith(former)]).to.deep.equal([
      ...[undefined, false, false],
    ])
  })

  it('outlives a page that asks for consent each time', () => {
    const host = fakeHost()
    identify(host, 'w1').keep('s1')
    const former = identify(host, 'w1').visitor()
    host.consent = 'denied'
    const identity = identify(host, 'w1')
    expect(host.cookies.size).to.equal(0)
    host.consent = 'granted'
    identity.sync()
    expect(host.cookies.get(KEY)).to.equal(`${former}s1`)
  })

  it('ignores a cookie that is not its own', () => {
    const host = fakeHost()
    host.cookies.set(KEY, 'short')
    expect(identify(host, 'w1').visitor()).to.have.length(22)
  })
})

describe('ticket in the address', () => {
  it('13a-18 is taken out alone', () => {
    for (const [before, after] of [
      ['/a?q=1#cf_ticket=t', '/a?q=1'],
      ['/a#x=1&cf_ticket=t&y=2', '/a#x=1&y=2'],
      ['/a#cf_ticket=t&y=2', '/a#y=2'],
      ['/a?cf_ticket=no', undefined],
    ]) {
      const host = fakeHost(`http://shop.test${before}`)
      takeTicket(host)
      expect(host.replaced[0]).to.equal(after)
    }
  })

  it('13a-17 outlives a reload with its key, until it is traded', () => {
    const host = fakeHost('http://shop.test/#cf_ticket=t')
    const first = takeTicket(host)
    const reloaded = { ...host, location: fakeHost().location }
    const second = takeTicket(reloaded)
    expect([second?.ticket, second?.key]).to.deep.equal(['t', first?.key])
    second?.drop()
    expect(takeTicket(reloaded)).to.equal(undefined)
  })

  it('13a-28 is not stored without consent', () => {
    const host = fakeHost('http://shop.test/#cf_ticket=t')
    host.consent = 'denied'
    expect(takeTicket(host)?.ticket).to.equal('t')
    expect(host.stored.size).to.equal(0)
  })

  it('13b 43: is not stored by a page that may never be shown', () => {
    const host = fakeHost('http://shop.test/#cf_ticket=t')
    Object.assign(host.document, { prerendering: true })
    expect(takeTicket(host)?.ticket).to.equal('t')
    expect([host.replaced, host.stored.size]).to.deep.equal([['/'], 0])
  })
})
