import { expect } from 'chai'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import { account, accounts, openSession, usableLink } from '../../../domain/members/public.ts'
import { AT, ask, given, ROOT, stateAfter } from '../../support/decider.ts'

const { event } = account

const inMinutes = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString()
const opened = event.MemberAccountOpened({ contact_id: 5 })
const link = (number: number, to: string | null = null) =>
  event.SignInLinkAsked({ number, expires_at: inMinutes(60), to })
const signedIn = (digest: string) => event.MemberSignedIn({ digest, expires_at: inMinutes(30 * 24 * 60) })

describe('the account of a member', () => {
  it('begins with the first link, which lasts an hour', () => {
    given(accounts)
      .when(ask('create', { contact_id: 5, to: '/members/orders' }))
      .then(opened, link(1, '/members/orders'))
  })

  it('15 90: gives three links an hour, and silently no more', () => {
    given(accounts, opened, link(1))
      .when(ask('askLink', { to: null }))
      .then(link(2))
    given(accounts, opened, link(1), link(2), link(3))
      .when(ask('askLink', { to: null }))
      .thenNothing()
  })

  it('15 91: signs in by any link that is left, once', () => {
    given(accounts, opened, link(1), link(2))
      .when(ask('signIn', { number: 1, digest: 'one' }))
      .then(signedIn('one'))
    for (const number of [1, 2, 3])
      given(accounts, opened, link(1), link(2), signedIn('one'))
        .when(ask('signIn', { number, digest: 'two' }))
        .refuses('conflict', 'The link was used, or is too old')
  })

  it('15 91: ends links and sessions when the contact has another address or is gone', () => {
    given(accounts, opened, link(1), signedIn('one'), link(2)).when(ask('revoke')).then(event.MemberAccessRevoked())
    given(accounts, opened, link(1), event.MemberAccessRevoked()).when(ask('revoke')).thenNothing()
    given(accounts, opened, link(1), event.MemberAccessRevoked())
      .when(ask('signIn', { number: 1, digest: 'one' }))
      .refuses('conflict', /used, or is too old/)
  })

  it('signs out of one browser, and of that once', () => {
    given(accounts, opened, link(1), signedIn('one'), link(2), signedIn('two'))
      .when(ask('signOut', { digest: 'one' }))
      .then(event.MemberSignedOut({ digest: 'one' }))
    given(accounts, opened, link(1), signedIn('one'))
      .when(ask('signOut', { digest: 'two' }))
      .thenNothing()
  })

  it('keeps the twenty newest sessions, each until it expires', () => {
    const events = Array.from({ length: 25 }, (_, at) => [link(at + 1), signedIn(`browser ${at}`)]).flat()
    const held = stateAfter(accounts, [opened, ...events])
    const { sessions } = recordOf(account)(held.documents['members/account']!.get(ROOT)!)
    expect(openSession({ sessions }, 'browser 4', AT)).to.equal(undefined)
    expect(openSession({ sessions }, 'browser 5', AT)).to.include({ digest: 'browser 5' })
    expect(openSession({ sessions }, 'browser 24', inMinutes(30 * 24 * 60))).to.equal(undefined)
    expect(usableLink({ links: [{ number: 1, expires_at: inMinutes(60), to: null }] }, 1, inMinutes(60))).to.equal(
      undefined,
    )
  })
})
