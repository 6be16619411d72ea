import { expect } from 'chai'
import { credential, credentials, openUserSession, usableUserLink } from '../../../domain/account/public.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import { AT, ask, given, ROOT, stateAfter } from '../../support/decider.ts'

const { event } = credential

const DAY_MINUTES = 24 * 60
const inMinutes = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString()
const opened = event.CredentialsOpened({ user_id: ROOT })
const asked = (number: number, purpose: 'sign_in' | 'reset' = 'sign_in') =>
  event.UserLinkAsked({ number, purpose, expires_at: inMinutes(60), to: null })
const issued = (number: number) =>
  event.UserLinkIssued({ number, purpose: 'first', expires_at: inMinutes(DAY_MINUTES), to: null })
const signedIn = (digest: string) =>
  event.UserSignedIn({ digest, expires_at: inMinutes(30 * DAY_MINUTES), second_factor: false })
const signIn = (digest: string, number: number | null = null, generation = 0) =>
  ask('signIn', { digest, number, generation, second_factor: false })
const changed = event.UserPasswordChanged({
  ...{ password: 'digest of a password', generation: 1 },
  session: {
    digest: 'next',
    began_at: AT,
    expires_at: inMinutes(30 * DAY_MINUTES),
    second_factor: false,
    browser: null,
  },
})
const held = (...events: Parameters<typeof stateAfter>[1]) =>
  recordOf(credential)(stateAfter(credentials, events).documents.credentials!.get(ROOT)!)

describe('the credentials of a user', () => {
  it('mail three links an hour, and silently no more', () => {
    given(credentials, opened, asked(1))
      .when(ask('askLink', { purpose: 'sign_in', to: null }))
      .then(asked(2))
    given(credentials, opened, asked(1), asked(2), asked(3))
      .when(ask('askLink', { purpose: 'sign_in', to: null }))
      .thenNothing()
  })

  it('16 7: mail links anew once somebody is in, however many were asked for before', () => {
    given(credentials, opened, asked(1), asked(2), asked(3), event.UserLinkUsed(), signedIn('one'))
      .when(ask('askLink', { purpose: 'sign_in', to: '/account' }))
      .then(event.UserLinkAsked({ number: 4, purpose: 'sign_in', expires_at: inMinutes(60), to: '/account' }))
  })

  it('16 1: take a link once, and any other with it', () => {
    given(credentials, opened, asked(1), asked(2)).when(signIn('one', 1)).then(event.UserLinkUsed(), signedIn('one'))
    for (const number of [1, 2, 3])
      given(credentials, opened, asked(1), asked(2), event.UserLinkUsed(), signedIn('one'))
        .when(signIn('two', number))
        .refuses('conflict', 'The link was used, or is too old')
  })

  it('16 15: end a link of the first owner by the next', () => {
    given(credentials, opened)
      .when(ask('issueLink', { purpose: 'first', to: null }))
      .then(issued(1))
    const links = held(opened, issued(1), asked(2), issued(3))
    expect(links.links.map(({ number }) => number)).to.deep.equal([2, 3])
    expect(usableUserLink(links, 3, inMinutes(DAY_MINUTES - 1))).to.include({ number: 3 })
    expect(usableUserLink(links, 3, inMinutes(DAY_MINUTES))).to.equal(undefined)
  })

  it('16 13: end sessions and links with a change of the password, and keep the browser under a new id', () => {
    const change = { former_digest: 'one', digest: 'next', password: 'digest of a password' }
    const before = [opened, signedIn('one'), signedIn('two'), asked(1)]
    given(credentials, ...before)
      .when(ask('changePassword', { ...change, generation: 0 }))
      .then(changed)
    given(credentials, ...before)
      .when(ask('changePassword', { ...change, generation: 0, disconnects: [4, 5] }))
      .then(changed, event.UserApplicationsDisconnected({ connection_ids: [4, 5] }))
    const after = held(...before, changed)
    expect(after).to.include({ generation: 1, password: 'digest of a password' })
    expect(after.links).to.deep.equal([])
    expect(after.sessions.map(({ digest }) => digest)).to.deep.equal(['next'])
  })

  it('16 13: take no change from a session that has ended, or for an earlier generation', () => {
    const change = { former_digest: 'one', digest: 'next', password: 'digest of a password', generation: 0 }
    given(credentials, opened, signedIn('one'), event.UserSignedOut({ digest: 'one' }))
      .when(ask('changePassword', change))
      .refuses('conflict', 'The session has ended')
    given(credentials, opened, event.UserAccessReset({ generation: 1 }), signedIn('one'))
      .when(ask('changePassword', change))
      .refuses('conflict', 'The session has ended')
  })

  it('16 13: sign nobody in by what was proved before a reset', () => {
    given(credentials, opened, changed)
      .when(signIn('two', null, 0))
      .refuses('conflict', 'The session has ended')
    given(credentials, opened, changed)
      .when(signIn('two', null, 1))
      .then(signedIn('two'))
  })

  it('16 13: end everything with a reset, by a link for that alone', () => {
    const reset = ask('resetPassword', { password: 'digest of another', number: 1 })
    const done = event.UserPasswordReset({ password: 'digest of another', generation: 1 })
    given(credentials, opened, asked(1, 'reset'), signedIn('one')).when(reset).then(done)
    given(credentials, opened, asked(1, 'reset'))
      .when(ask('resetPassword', { password: 'digest of another', number: 1, disconnects: [4, 5] }))
      .then(done, event.UserApplicationsDisconnected({ connection_ids: [4, 5] }))
    given(credentials, opened, asked(1)).when(reset).refuses('conflict', 'The link was used, or is too old')
    const after = held(opened, asked(1, 'reset'), signedIn('one'), done)
    expect([after.links, after.sessions]).to.deep.equal([[], []])
    given(credentials, opened, signedIn('one'))
      .when(ask('resetAccess'))
      .then(event.UserAccessReset({ generation: 1 }))
  })

  it('sign out of one browser, and of that once', () => {
    given(credentials, opened, signedIn('one'), signedIn('two'))
      .when(ask('signOut', { digest: 'one' }))
      .then(event.UserSignedOut({ digest: 'one' }))
    given(credentials, opened, signedIn('one'))
      .when(ask('signOut', { digest: 'two' }))
      .thenNothing()
  })

  it('keep the fifty newest sessions, each until it expires', () => {
    const after = held(opened, ...Array.from({ length: 55 }, (_, at) => signedIn(`browser ${at}`)))
    expect(openUserSession(after, 'browser 4', AT)).to.equal(undefined)
    expect(openUserSession(after, 'browser 5', AT)).to.include({ digest: 'browser 5' })
    expect(openUserSession(after, 'browser 54', inMinutes(30 * DAY_MINUTES))).to.equal(undefined)
  })
})
