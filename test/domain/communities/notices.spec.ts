import { expect } from 'chai'
import { digest } from '../../../domain/communities/digest/model.ts'
import { digests } from '../../../domain/communities/digest/rules.ts'
import { MOST_MENTIONED } from '../../../domain/communities/notice/bound.ts'
import { notice } from '../../../domain/communities/notice/model.ts'
import { notices, type Written } from '../../../domain/communities/notice/rules.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import { AT, ask, given, stateAfter } from '../../support/decider.ts'

const { event } = notice
const ABOUT = { about: 'comment-9', community_id: 2, post_id: 4, comment_id: 9 }
const told = (more: Partial<Written> = {}) => ({
  told: { mentioned: [], replied: [], is_new: true, is_quiet: false, ...more },
})
const began = event.NoticeBegan(ABOUT)
const tell = (more: Partial<Written>) => ask('tell', told(more))
const mentioned = (contact_ids: readonly number[], told_ids = contact_ids) =>
  event.MembersMentioned({ contact_ids, told_ids })
const announced = event.WritingAnnounced({ to_ids: [], is_quiet: false })

describe('whom a post or a comment is told to', () => {
  it('15 58: one person is told once of one event: who is mentioned is not told of the reply as well', () => {
    given(notices)
      .when(ask('create', { ...ABOUT, ...told({ mentioned: [7, 8, 7], replied: [7, 5, 5] }) }))
      .then(began, mentioned([7, 8]), event.WritingAnnounced({ to_ids: [5], is_quiet: false }))
  })

  it('15 58 59: an edit tells those mentioned for the first time, and nobody again who was taken out meanwhile', () => {
    const before = [began, mentioned([7]), announced]
    given(notices, ...before)
      .when(tell({ mentioned: [7, 8], replied: [5], is_new: false }))
      .then(mentioned([8]))
    given(notices, ...before, mentioned([8]))
      .when(tell({ mentioned: [7, 8], is_new: false }))
      .thenNothing()
  })

  it('15 46: approved again, it is announced to nobody', () => {
    given(notices, began, announced)
      .when(tell({ replied: [5] }))
      .thenNothing()
  })

  it('15 58: told quietly, it mails nobody, then and later', () => {
    given(notices)
      .when(ask('create', { ...ABOUT, ...told({ mentioned: [7], replied: [5], is_quiet: true }) }))
      .then(began, mentioned([7], []), event.WritingAnnounced({ to_ids: [], is_quiet: true }))
    given(notices, began, mentioned([7], []), announced)
      .when(tell({ mentioned: [7, 8], is_new: false }))
      .then(mentioned([8]))
  })

  it('counts nobody as mailed for a mention where mentions are not mailed, and tells of the reply', () => {
    const written = { mentioned: [7, 8], replied: [7], mails_mentions: false }
    given(notices)
      .when(ask('create', { ...ABOUT, ...told(written) }))
      .then(began, mentioned([7, 8], []), event.WritingAnnounced({ to_ids: [7], is_quiet: false }))
  })

  const withheld = (contact_ids: readonly number[], muted_ids: readonly number[] = []) =>
    event.MentionsWithheld({ contact_ids, muted_ids })
  const again = (contact_ids: readonly number[], told_ids = contact_ids) =>
    event.MembersMentionedAgain({ contact_ids, told_ids })

  it('notes whose mail was withheld, once, and of those alone who were told', () => {
    const before = [began, mentioned([7, 8]), announced]
    const withhold = ask('withhold', { contact_ids: [7, 9], muted_ids: [9] })
    given(notices, ...before)
      .when(withhold)
      .then(withheld([7]))
    given(notices, ...before, withheld([7]))
      .when(withhold)
      .thenNothing()
    given(notices, ...before)
      .when(ask('withhold', { contact_ids: [7, 8], muted_ids: [8] }))
      .then(withheld([7, 8], [8]))
  })

  it('shown again, it tells those whose mail was withheld and whom it still mentions, and nobody twice', () => {
    const before = [began, mentioned([7, 8, 9]), announced, withheld([7, 8, 9], [9])]
    const shown = { mentioned: [7, 9], is_again: true }
    given(notices, ...before)
      .when(tell(shown))
      .then(again([7, 9], [7]))
    given(notices, ...before, again([7]))
      .when(tell({ mentioned: [7], is_again: true }))
      .thenNothing()
    given(notices, ...before)
      .when(tell({ mentioned: [7, 8], is_new: false }))
      .thenNothing()
    given(notices, ...before, again([7]), withheld([7]))
      .when(tell(shown))
      .then(again([7, 9], [7]))
  })

  it('leaves those whose mail was withheld to the digest where nobody is mailed when it is shown again', () => {
    const before = [began, mentioned([7]), announced, withheld([7])]
    for (const quiet of [{ is_quiet: true }, { mails_mentions: false }])
      given(notices, ...before)
        .when(tell({ mentioned: [7], is_again: true, ...quiet }))
        .then(again([7], []))
    given(notices, ...before, again([7], []))
      .when(tell({ mentioned: [7], is_again: true }))
      .then(again([7], []))
  })

  it('shown again, it is new to the digest of those who were mentioned beyond the 25', () => {
    const many = Array.from({ length: 27 }, (_, n) => n + 1)
    given(notices, began, mentioned(many, many.slice(0, 25)), announced)
      .when(tell({ mentioned: many.slice(0, 26), is_again: true }))
      .then(again([26], []))
  })

  it('keeps who got no mail, and since when, for the digest', () => {
    const untoldAfter = (...events: Parameters<typeof stateAfter>[1]) => {
      const found = stateAfter(notices, [began, ...events])
      const { untold, told_ids } = new RecordsOfStream(found).root(notice)!
      expect(untold.every(({ at }) => at === AT)).to.equal(true)
      return [untold.map(({ contact_id }) => contact_id), told_ids]
    }
    expect(untoldAfter(mentioned([7, 8, 9], [7, 8]))).to.deep.equal([[9], [7, 8]])
    const first = [mentioned([7, 8, 9], [7, 8]), withheld([7, 8], [8])]
    expect(untoldAfter(...first)).to.deep.equal([[9, 7, 8], []])
    expect(untoldAfter(...first, again([7]))).to.deep.equal([[9, 8], [7]])
    expect(untoldAfter(...first, again([7], []))).to.deep.equal([[9, 8, 7], []])
  })

  it('shown again, it is announced to those who did not see it when their mail was handed over, once', () => {
    const before = [began, announced, event.AnnouncementWithheld({ contact_ids: [5, 6] })]
    given(notices, began, announced)
      .when(ask('withholdAnnouncement', { contact_ids: [5, 6] }))
      .then(event.AnnouncementWithheld({ contact_ids: [5, 6] }))
    given(notices, ...before)
      .when(ask('withholdAnnouncement', { contact_ids: [5] }))
      .thenNothing()
    given(notices, ...before)
      .when(tell({ replied: [5], is_again: true, is_quiet: true }))
      .thenNothing()
    given(notices, ...before)
      .when(tell({ replied: [5], is_again: true }))
      .then(event.WritingAnnouncedAgain({ to_ids: [5, 6] }))
    given(notices, ...before, event.WritingAnnouncedAgain({ to_ids: [5, 6] }))
      .when(tell({ replied: [5], is_again: true }))
      .thenNothing()
  })

  it('15 60: mails at most 25 of those mentioned, however many mails were withheld', () => {
    const many = Array.from({ length: 30 }, (_, n) => n + 1)
    const before = [began, mentioned(many, many.slice(0, 25)), announced, withheld([1, 2])]
    given(notices, ...before)
      .when(tell({ mentioned: [...many, 98], is_new: false }))
      .then(mentioned([98]))
    given(notices, ...before, mentioned([98]))
      .when(tell({ mentioned: [...many, 98, 99], is_again: true }))
      .then(again([1, 2, 26, 27, 28, 29, 30], [1]), mentioned([99], []))
  })

  it('15 60: mails at most 25 of those mentioned, over all edits', () => {
    const many = Array.from({ length: 30 }, (_, n) => n + 1)
    given(notices, began, announced)
      .when(tell({ mentioned: many, is_new: false }))
      .then(mentioned(many, many.slice(0, MOST_MENTIONED)))
    given(notices, began, announced, mentioned(many, many.slice(0, MOST_MENTIONED)))
      .when(tell({ mentioned: [99], replied: [28], is_new: false }))
      .then(mentioned([99], []))
  })
})

/** Eight in Berlin, on the day whose clock goes forward there. */
const ZONE = { zone: 'Europe/Berlin' }
const on = (next_at: string, last_day: string | null = null) => [
  digest.event.DigestBegan({ community_id: 2, is_on: true, next_at }),
  ...(last_day === null ? [] : [digest.event.DigestDue({ day: last_day, since: AT, next_at })]),
]
const { DigestDue, DigestPutOff, DigestSwitched } = digest.event

describe('the digest of a community', () => {
  it('15 62: is due at eight in the zone of the workspace, whatever its clock does', () => {
    given(digests)
      .when(ask('create', { community_id: 2, is_on: true }), ZONE)
      .then(digest.event.DigestBegan({ community_id: 2, is_on: true, next_at: '2026-03-02T07:00:00.000Z' }))
    given(digests, ...on('2026-03-28T07:00:00.000Z'))
      .when({ ...ask('send'), at: '2026-03-28T07:00:00.000Z' }, ZONE)
      .then(DigestDue({ day: '2026-03-28', since: '2026-03-21T07:00:00.000Z', next_at: '2026-03-29T06:00:00.000Z' }))
  })

  it('15 62: is sent once on a day, though the zone has changed since', () => {
    given(digests, ...on('2026-03-01T07:00:00.000Z', '2026-03-01'))
      .when(ask('send'), ZONE)
      .then(DigestPutOff({ next_at: '2026-03-02T07:00:00.000Z' }))
    given(digests, ...on('2026-03-02T07:00:00.000Z', '2026-03-01'))
      .when(ask('send'), ZONE)
      .thenNothing()
  })

  it('15 63: is one after three days without a running process', () => {
    const at = '2026-03-05T10:00:00.000Z'
    given(digests, ...on('2026-03-02T07:00:00.000Z', '2026-03-01'))
      .when({ ...ask('send'), at }, ZONE)
      .then(DigestDue({ day: '2026-03-05', since: AT, next_at: '2026-03-06T07:00:00.000Z' }))
  })

  it('is turned off and on again', () => {
    const [begun] = on('2026-03-02T07:00:00.000Z')
    given(digests, begun!)
      .when(ask('turn', { is_on: true }), ZONE)
      .thenNothing()
    const off = DigestSwitched({ is_on: false, next_at: '2026-03-02T07:00:00.000Z' })
    given(digests, begun!)
      .when(ask('turn', { is_on: false }), ZONE)
      .then(off)
    given(digests, begun!, off)
      .when({ ...ask('send'), at: '2026-03-03T07:00:00.000Z' }, ZONE)
      .thenNothing()
  })
})
