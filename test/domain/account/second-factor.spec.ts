import { expect } from 'chai'
import { credential, credentials } from '../../../domain/account/public.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { AT, ask, given, ROOT, stateAfter } from '../../support/decider.ts'

const { event } = credential

const opened = event.CredentialsOpened({ user_id: ROOT })
const enrolled = event.CodeAppEnrolled({ nonce: 'one', step: 100, recovery_codes: ['r1', 'r2'] })
const passkey = (id: string, counter = 0) => ({
  ...{ id, public_key: 'k', transports: ['internal'], name: 'Phone', counter, is_synced: false },
})
const added = (id: string, counter?: number) => event.PasskeyAdded(passkey(id, counter))

const signIn = (factor: object | null) =>
  ask('signIn', { digest: 'd', generation: 0, number: null, second_factor: factor !== null, factor })
const byCode = (step: number) => ({ by: 'code', step })
const byRecoveryCode = (digest: string) => ({ by: 'recovery_code', digest })
const byPasskey = (id: string, counter: number) => ({ by: 'passkey', id, counter, is_synced: false })

const recordAfter = (...events: readonly DomainEvent[]) => {
  const found = recordOf(credential)(stateAfter(credentials, events).documents.credentials!.get(ROOT)!)
  return found
}

describe('the second factor of credentials', () => {
  const session = (second_factor: boolean) => {
    const expires_at = new Date(Date.parse(AT) + 30 * 24 * 60 * 60_000).toISOString()
    return event.UserSignedIn({ digest: 'd', expires_at, second_factor })
  }

  it('16 16: a code serves once, and none of its step or an earlier one after it', () => {
    given(credentials, opened, enrolled)
      .when(signIn(byCode(101)))
      .then(event.OneTimeCodeUsed({ step: 101 }), session(true))
    for (const step of [101, 100, 99, 1])
      given(credentials, opened, enrolled, event.OneTimeCodeUsed({ step: 101 }))
        .when(signIn(byCode(step)))
        .refuses('conflict', 'The code was used already')
    given(credentials, opened, enrolled, event.OneTimeCodeUsed({ step: 101 }))
      .when(signIn(byCode(102)))
      .then(event.OneTimeCodeUsed({ step: 102 }), session(true))
  })

  it('16 16: the code that confirmed the app does not serve the next sign-in', () => {
    given(credentials, opened, enrolled)
      .when(signIn(byCode(100)))
      .refuses('conflict', 'The code was used already')
  })

  it('16 18: nobody is signed in without a code where codes are asked for', () => {
    given(credentials, opened).when(signIn(null)).then(session(false))
    given(credentials, opened, enrolled).when(signIn(null)).refuses('conflict', 'A code is needed')
    const link = event.UserLinkAsked({
      number: 1,
      purpose: 'sign_in',
      expires_at: '2026-03-01T10:00:00.000Z',
      to: null,
    })
    given(credentials, opened, enrolled, link)
      .when(ask('signIn', { digest: 'd', generation: 0, number: 1, second_factor: false, factor: null }))
      .refuses('conflict', 'A code is needed')
    given(credentials, opened, enrolled, link)
      .when(ask('signIn', { digest: 'd', generation: 0, number: 1, second_factor: true, factor: byCode(101) }))
      .then(event.UserLinkUsed(), event.OneTimeCodeUsed({ step: 101 }), session(true))
  })

  it('16 18: a passkey counts as both factors', () => {
    given(credentials, opened, enrolled, added('p'))
      .when(signIn(byPasskey('p', 0)))
      .then(event.PasskeyUsed({ id: 'p', counter: 0, is_synced: false }), session(true))
    given(credentials, opened, added('p'), event.PasskeyRemoved({ id: 'p' }))
      .when(signIn(byPasskey('p', 0)))
      .refuses('notFound', 'No such passkey')
  })

  it('16 19: each recovery code serves once', () => {
    given(credentials, opened, enrolled)
      .when(signIn(byRecoveryCode('r1')))
      .then(event.RecoveryCodeUsed({ digest: 'r1' }), session(true))
    const used = event.RecoveryCodeUsed({ digest: 'r1' })
    given(credentials, opened, enrolled, used)
      .when(signIn(byRecoveryCode('r1')))
      .refuses('conflict', 'The code is not right')
    expect(recordAfter(opened, enrolled, used).recovery_codes).to.deep.equal(['r2'])
  })

  it('16 19: an app that works is not replaced, and new recovery codes take a code', () => {
    const app = { nonce: 'two', step: 200, recovery_codes: ['n'] }
    const browser = { former_digest: 'd', digest: 'e' }
    given(credentials, opened, enrolled, session(true))
      .when(ask('enrollCodeApp', { ...app, ...browser }))
      .refuses('conflict', 'Codes are asked for already')
    given(credentials, opened, enrolled)
      .when(ask('replaceRecoveryCodes', { factor: byCode(101), recovery_codes: ['n'] }))
      .then(event.OneTimeCodeUsed({ step: 101 }), event.RecoveryCodesReplaced({ recovery_codes: ['n'] }))
    for (const factor of [byCode(100), byRecoveryCode('x')])
      given(credentials, opened, enrolled)
        .when(ask('replaceRecoveryCodes', { factor, recovery_codes: ['n'] }))
        .refuses('conflict', /The code/)
  })

  it('16 12 19: an app is enrolled in a browser that gets another session, and ends those of others', () => {
    const app = { nonce: 'two', step: 200, recovery_codes: ['n'] }
    const wanted = { ...app, former_digest: 'd', digest: 'e' }
    const { expires_at } = session(true).data
    given(credentials, opened, session(false))
      .when(ask('enrollCodeApp', wanted))
      .then(
        event.CodeAppEnrolled(app),
        event.UserSessionRenewed({
          ...{ former_digest: 'd', digest: 'e', began_at: AT, expires_at: String(expires_at), second_factor: true },
        }),
        event.UserSignedOutElsewhere({ digest: 'e' }),
      )
    given(credentials, opened).when(ask('enrollCodeApp', wanted)).refuses('conflict', 'The session has ended')
  })

  it('all browsers but one are signed out, if there are others', () => {
    const other = event.UserSignedIn({ digest: 'o', expires_at: '2026-04-01T00:00:00.000Z', second_factor: false })
    given(credentials, opened, session(false), other)
      .when(ask('signOutElsewhere', { digest: 'd' }))
      .then(event.UserSignedOutElsewhere({ digest: 'd' }))
    given(credentials, opened, session(false))
      .when(ask('signOutElsewhere', { digest: 'd' }))
      .thenNothing()
    const [left, ...none] = recordAfter(
      opened,
      session(false),
      other,
      event.UserSignedOutElsewhere({ digest: 'd' }),
    ).sessions
    expect(left?.digest).to.equal('d')
    expect(none).to.deep.equal([])
  })

  it('16 19: codes are turned off by one of them, or by the operator without', () => {
    given(credentials, opened, enrolled)
      .when(ask('removeCodeApp', { factor: byRecoveryCode('r2') }))
      .then(event.RecoveryCodeUsed({ digest: 'r2' }), event.CodeAppRemoved())
    given(credentials, opened, enrolled)
      .when(ask('removeCodeApp', { factor: byCode(100) }))
      .refuses('conflict', 'The code was used already')
    given(credentials, opened, enrolled).when(ask('resetCodeApp')).then(event.CodeAppRemoved())
    given(credentials, opened).when(ask('resetCodeApp')).thenNothing()
    expect(recordAfter(opened, enrolled, event.CodeAppRemoved())).to.deep.include({
      code_app: null,
      recovery_codes: [],
    })
    expect(recordAfter(opened, enrolled, event.CodeAppRemoved()).code_app_count).to.equal(1)
  })

  it('16 20: a counter that goes back is recorded, and the passkey still signs in', () => {
    const use = (counter: number) => event.PasskeyUsed({ id: 'p', counter, is_synced: true })
    const at = (...counters: readonly number[]) => recordAfter(opened, added('p', 5), ...counters.map(use)).passkeys[0]
    expect(at()).to.deep.include({ counter: 5, went_back_at: null, used_at: null })
    expect(at(6)).to.deep.include({ counter: 6, went_back_at: null, used_at: AT, is_synced: true })
    expect(at(6, 6)).to.deep.include({ counter: 6, went_back_at: null })
    expect(at(0)).to.deep.include({ counter: 0, went_back_at: AT })
    expect(at(0, 7)).to.deep.include({ counter: 7, went_back_at: AT })
    given(credentials, opened, added('p', 5))
      .when(signIn(byPasskey('p', 1)))
      .then(event.PasskeyUsed({ id: 'p', counter: 1, is_synced: false }), session(true))
  })

  it('passkeys are added once, twenty at most, named and removed', () => {
    given(credentials, opened)
      .when(ask('addPasskey', { passkey: passkey('p') }))
      .then(added('p'))
    given(credentials, opened, added('p'))
      .when(ask('addPasskey', { passkey: passkey('p') }))
      .refuses('conflict', 'The passkey is there already')
    given(credentials, opened, ...Array.from({ length: 20 }, (_, at) => added(`p${at}`)))
      .when(ask('addPasskey', { passkey: passkey('p') }))
      .refuses('conflict', 'There are 20 passkeys already')
    given(credentials, opened, added('p'))
      .when(ask('namePasskey', { id: 'p', name: 'Key' }))
      .then(event.PasskeyNamed({ id: 'p', name: 'Key' }))
    given(credentials, opened, added('p'))
      .when(ask('namePasskey', { id: 'q', name: 'Key' }))
      .refuses('notFound', 'No such passkey')
    given(credentials, opened, added('p'))
      .when(ask('removePasskey', { id: 'p' }))
      .then(event.PasskeyRemoved({ id: 'p' }))
    given(credentials, opened)
      .when(ask('removePasskey', { id: 'p' }))
      .thenNothing()
  })
})
