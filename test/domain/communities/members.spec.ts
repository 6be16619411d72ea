import { expect } from 'chai'
import { needsApproval } from '../../../domain/communities/approval.ts'
import { blockedProblem } from '../../../domain/communities/block-list.ts'
import { commentRules } from '../../../domain/communities/post/comment-rules.ts'
import { commentLikes, postLikes } from '../../../domain/communities/post/like-rules.ts'
import { posts } from '../../../domain/communities/post/rules.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { AT, ask, given, stateAfter } from '../../support/decider.ts'
import { member, place } from './places.ts'

const fact = (type: string, data: object = {}) => ({ type, data: { ...data } })
const fields = {
  space_id: 11,
  community_id: 3,
  contact_id: 7,
  title: 'Crawling',
  body: '<p>Why?</p>',
  image_id: null,
  is_pinned: false,
  current_path: null,
}
const live = fact('PostWritten', { ...fields, approved_at: AT })
const waiting = fact('PostWritten', { ...fields, approved_at: null })
const strict = place({ community: { require_post_approvals: true, require_comment_approvals: true } })
const author = member()
const other = member({ contact_id: 8 })
const moderator = member({ contact_id: 9, moderator: true })
const facts = (of = place(), as = author) => ({ place: of, member: as, problem: undefined })
const edit = (change: object, by_id = 7) => ask('edit', { by_id, ...change })
const proposed = (body: string) => fact('PostEditProposed', { pending_edit: { title: 'Crawling', body } })
const postAfter = (...events: Parameters<typeof stateAfter>[1]) =>
  stateAfter(posts, events).documents['communities/spaces/post']?.get(1)

describe('post of a member', () => {
  const create = (more: object = {}) => ask('create', { ...fields, is_pinned: true, by_id: 7, ...more })

  it('15 44: waits for approval where the community asks for it, or its group does, which wins where it says so', () => {
    const ask = (community: boolean, group: boolean, override: boolean) =>
      needsApproval(
        'post',
        place({
          community: { require_post_approvals: community },
          group: { require_post_approvals: group, require_post_approvals_override: override },
        }),
        author,
      )
    expect([ask(true, false, false), ask(false, true, false)]).to.deep.equal([true, false])
    expect([ask(true, false, true), ask(false, true, true)]).to.deep.equal([false, true])
    expect(needsApproval('post', strict, moderator)).to.equal(false)
  })

  it('15 44: is signed by the member, never pinned, and live only where nobody need approve it', () => {
    const at = (approved_at: string | null, contact_id = 7) =>
      fact('PostWritten', { ...fields, contact_id, approved_at })
    given(posts)
      .when(create({ contact_id: 12 }), facts())
      .then(at(AT))
    given(posts).when(create(), facts(strict)).then(at(null))
    given(posts)
      .when(create({ by_id: 9 }), facts(strict, moderator))
      .then(at(AT, 9))
  })

  it('needs a space in which members may post', () => {
    const closed = place({ space: { members_can_post: false } })
    given(posts)
      .when(create(), facts(closed))
      .refuses('forbidden', /Only moderators/)
    given(posts)
      .when(create({ by_id: 9 }), facts(closed, moderator))
      .then(fact('PostWritten', { ...fields, contact_id: 9, approved_at: AT }))
  })

  it('15 44: has no word of the block list, when it is written and at every edit', () => {
    const blocking = facts(place({ community: { enable_block_list: true } }))
    given(posts)
      .when(create({ title: 'Bullshit!' }), blocking)
      .refuses('invalid', /Title has a word/)
    given(posts)
      .when(create({ body: '<p>b&#117;llshit</p>' }), blocking)
      .refuses('invalid', /Body has a word/)
    given(posts, live)
      .when(edit({ body: 'What SHIT' }), blocking)
      .refuses('invalid', /Body has a word/)
    given(posts, waiting)
      .when(edit({ title: 'Fucking glaze' }), blocking)
      .refuses('invalid', /Title has a word/)
    expect(blockedProblem({ title: 'Scunthorpe, shiitake, assess, Dick', body: null })).to.equal(undefined)
  })

  it('15 44: keeps the approved text up while an edit of its author waits', () => {
    given(posts, live)
      .when(edit({ body: 'B' }), facts(strict))
      .then(proposed('B'))
    given(posts, live, proposed('B'))
      .when(edit({ body: 'B' }), facts(strict))
      .thenNothing()
    given(posts, live, proposed('B'))
      .when(edit({ body: 'C' }), facts(strict))
      .then(proposed('C'))
    given(posts, live, proposed('B'))
      .when(edit({ body: fields.body }), facts(strict))
      .then(fact('PostEditWithdrawn'))
    expect(postAfter(live, proposed('B'))).to.include({ body: fields.body, approved_at: AT })
  })

  it('15 44: is changed at once by a moderator, where nobody approves, and while nobody sees it', () => {
    const changed = fact('PostChanged', { body: 'B' })
    given(posts, live)
      .when(edit({ body: 'B' }, 9), facts(strict, moderator))
      .then(changed)
    given(posts, live)
      .when(edit({ body: 'B' }), facts())
      .then(changed)
    given(posts, waiting)
      .when(edit({ body: 'B' }), facts(strict))
      .then(changed)
    given(posts, live).when(edit({}), facts()).thenNothing()
    given(posts, live)
      .when(edit({ title: ' ' }), facts())
      .refuses('invalid', "Title can't be blank")
  })

  it('15 45: an edit that is approved becomes the text, and one that came afterwards waits again', () => {
    given(posts, live, proposed('B')).when(ask('approve')).then(fact('PostApproved'))
    const after = [live, proposed('B'), fact('PostApproved')]
    expect(postAfter(...after)).to.include({ body: 'B', pending_edit: null })
    given(posts, ...after)
      .when(ask('approve'))
      .thenNothing()
    given(posts, ...after)
      .when(edit({ body: 'C' }), facts(strict))
      .then(proposed('C'))
  })

  it('15 46: an edit is dropped without the text that is up, or with it', () => {
    given(posts, live, proposed('B')).when(ask('declineEdit')).then(fact('PostEditDeclined'))
    expect(postAfter(live, proposed('B'), fact('PostEditDeclined'))).to.include({ body: fields.body, approved_at: AT })
    given(posts, live, proposed('B'), fact('PostEditDeclined')).when(ask('declineEdit')).thenNothing()
    const back = postAfter(live, proposed('B'), fact('PostDeclined'), fact('PostApproved'))
    expect(back).to.include({ body: fields.body, pending_edit: null })
  })

  it('is changed and removed by its author and moderators alone', () => {
    given(posts, live)
      .when(edit({ body: 'B' }, 8), facts(place(), other))
      .refuses('forbidden', /Only the author/)
    given(posts, live)
      .when(ask('remove', { by_id: 8 }), facts(place(), other))
      .refuses('forbidden', /Only the author/)
    for (const one of [author, moderator])
      given(posts, live)
        .when(ask('remove', { by_id: one.contact_id }), facts(place(), one))
        .then(fact('PostRemoved'))
  })

  it('15 42: is moderated by nobody who does not moderate, as a banned moderator does not', () => {
    const outside = { place: place(), member: undefined, problem: refuse.forbidden('Only members may do this') }
    for (const act of ['approve', 'decline', 'declineEdit', 'dismissReports', 'pin', 'unpin']) {
      given(posts, live)
        .when(ask(act, { by_id: 7 }), facts())
        .refuses('forbidden', 'Only moderators may do this')
      given(posts, live)
        .when(ask(act, { by_id: 9 }), outside)
        .refuses('forbidden', 'Only members may do this')
    }
    given(posts, live)
      .when(ask('decline', { by_id: 9 }), facts(place(), moderator))
      .then(fact('PostDeclined'))
  })

  it('15 56: holds nobody’s name where it mentions somebody', () => {
    given(posts)
      .when(create({ body: '<p>Ask <span data-mention="8">Grace Hopper</span>!</p>' }), facts())
      .then(fact('PostWritten', { ...fields, body: '<p>Ask <span data-mention="8"></span>!</p>', approved_at: AT }))
  })
})

describe('reports of members', () => {
  const reported = (contact_id: number, report_type: string | null = null) =>
    fact('PostReported', { contact_id, report_type })
  const report = (by_id: number, more: object = {}) => ask('report', { by_id, ...more })
  const as = facts(place(), other)

  it('15 47: of a text that has changed since they were dismissed count again', () => {
    const dismissed = [live, reported(8), fact('PostReportsDismissed')]
    given(posts, ...dismissed)
      .when(report(8), as)
      .thenNothing()
    given(posts, ...dismissed, fact('PostPinned'))
      .when(report(8), as)
      .thenNothing()
    for (const change of [[fact('PostChanged', { body: 'B' })], [proposed('B'), fact('PostApproved')]])
      given(posts, ...dismissed, ...change)
        .when(report(8), as)
        .then(reported(8))
  })

  it('15 47: hide nothing, and count contacts', () => {
    const after = postAfter(live, reported(8, 'spam'), reported(9))
    expect(after).to.include({ report_count: 2, report_type: null, approved_at: AT, declined_at: null })
    given(posts, live)
      .when(report(8, { report_type: 'spam' }), as)
      .then(reported(8, 'spam'))
  })

  it('15 33: need a post that the member sees', () => {
    given(posts, waiting)
      .when(report(8), { ...as, problem: refuse.notFound() })
      .refuses('notFound', /missing/)
  })
})

describe('comment of a member', () => {
  const on = { id: 5, space_id: 11, community_id: 3, approved_at: AT, declined_at: null, contact_id: 7 }
  const said = {
    post_id: 5,
    community_id: 3,
    contact_id: 7,
    body: 'Thinner.',
    parent_comment_id: null,
    skip_notifications: false,
  }
  const comments = (of = place(), as = author, more: object = {}) => ({
    ...facts(of, as),
    on,
    parent: undefined,
    hasReplies: false,
    ...more,
  })
  const create = ask('create', { ...said, by_id: 7 })
  const shown = fact('CommentWritten', { ...said, approved_at: AT })

  it('15 44: waits for approval where that is asked for, and so do its edits', () => {
    given(commentRules).when(create, comments()).then(shown)
    given(commentRules)
      .when(create, comments(strict))
      .then(fact('CommentWritten', { ...said, approved_at: null }))
    const change = fact('CommentEditProposed', { pending_edit: { body: 'Thicker.' } })
    given(commentRules, shown)
      .when(ask('edit', { by_id: 7, body: 'Thicker.' }), comments(strict))
      .then(change)
    given(commentRules, shown, change).when(ask('approve'), comments()).then(fact('CommentApproved'))
    const { documents } = stateAfter(commentRules, [shown, change, fact('CommentApproved')])
    expect(documents['communities/spaces/posts/comment']?.get(1)).to.include({ body: 'Thicker.', pending_edit: null })
  })

  it('15 50: needs a post that is shown, and a parent that is', () => {
    const hidden = [{ approved_at: null }, { declined_at: AT }].map((change) => ({ on: { ...on, ...change } }))
    for (const more of hidden)
      given(commentRules)
        .when(create, comments(place(), author, more))
        .refuses('invalid', 'Post is not shown')
    const parent = { id: 2, post_id: 5, approved_at: AT, declined_at: null, emptied_at: null }
    const reply = ask('create', { ...said, parent_comment_id: 2, by_id: 7 })
    for (const [change, says] of [
      [{ approved_at: null }, /not shown/],
      [{ declined_at: AT }, /not shown/],
      [{ emptied_at: AT }, /deleted/],
      [{ post_id: 6 }, /same post/],
    ] as const)
      given(commentRules)
        .when(reply, comments(place(), author, { parent: { ...parent, ...change } }))
        .refuses('invalid', says)
    given(commentRules)
      .when(reply, comments(place(), author, { parent }))
      .then(fact('CommentWritten', { ...said, parent_comment_id: 2, approved_at: AT }))
  })
})

describe('like of a member', () => {
  it('is taken back by who gave it', () => {
    const likes = [
      [postLikes, fact('PostLiked', { post_id: 5, contact_id: 7 }), fact('PostUnliked')],
      [commentLikes, fact('CommentLiked', { comment_id: 5, contact_id: 7 }), fact('CommentUnliked')],
    ] as const
    for (const [rules, liked, unliked] of likes) {
      given(rules, liked)
        .when(ask('remove', { by_id: 8 }))
        .refuses('notFound', /missing/)
      given(rules, liked)
        .when(ask('remove', { by_id: 7 }))
        .then(unliked)
      given(rules, liked)
        .when(ask('like', { by_id: 7 }))
        .thenNothing()
    }
  })
})
