import { expect } from 'chai'
import { commentRules } from '../../../domain/communities/post/comment-rules.ts'
import { posts } from '../../../domain/communities/post/rules.ts'
import { providerOf } from '../../../domain/communities/post/video.ts'
import { plainText } from '../../../domain/resources/plain-text.ts'
import { AT, ask, given } from '../../support/decider.ts'
import { place } from './places.ts'

const written = {
  type: 'PostWritten',
  data: {
    space_id: 11,
    community_id: 3,
    contact_id: 7,
    title: 'Crawling',
    body: '<p>Why?</p>',
    image_id: null,
    is_pinned: false,
    current_path: null,
    approved_at: null,
  },
}
const fact = (type: string, data: object = {}) => ({ type, data: { ...data } })
const [approved, declined, dismissed] = ['PostApproved', 'PostDeclined', 'PostReportsDismissed'].map((type) =>
  fact(type),
) as [ReturnType<typeof fact>, ReturnType<typeof fact>, ReturnType<typeof fact>]
const reported = (contact_id: number) => fact('PostReported', { contact_id, report_type: null })
const report = (by_id: number) => ask('report', { by_id })

describe('post of a community', () => {
  it('of staff is approved at once', () => {
    const { approved_at: _, ...fields } = written.data
    given(posts)
      .when(ask('create', fields), { place: place(), member: undefined, problem: undefined })
      .then(fact('PostWritten', { ...fields, approved_at: AT }))
  })

  it('15 46: is approved and declined once', () => {
    given(posts, written).when(ask('approve')).then(approved)
    given(posts, written, approved).when(ask('approve')).thenNothing()
    given(posts, written, declined).when(ask('decline')).thenNothing()
    given(posts, written, declined).when(ask('approve')).then(approved)
  })

  it('15 47: counts one report for each contact, and none again once it was dismissed', () => {
    given(posts, written, approved).when(report(8)).then(reported(8))
    given(posts, written, approved, reported(8)).when(report(8)).thenNothing()
    given(posts, written, approved, reported(8)).when(report(9)).then(reported(9))
    given(posts, written, approved, reported(8), dismissed).when(report(8)).thenNothing()
  })

  it('is not reported by its author, whose field the refusal names', () => {
    const own = fact('PostWritten', { ...written.data, contact_id: 8 })
    given(posts, own, approved).when(report(8)).refuses('invalid', 'Author cannot report itself')
    given(posts, own, approved).when(report(9)).then(reported(9))
  })

  it('15 46: reports are dismissed once', () => {
    given(posts, written, approved, reported(8)).when(ask('dismissReports')).then(dismissed)
    given(posts, written, approved, reported(8), dismissed).when(ask('dismissReports')).thenNothing()
    given(posts, written, declined).when(ask('dismissReports')).then(dismissed)
  })
})

describe('comment of a community', () => {
  const said = {
    type: 'CommentWritten',
    data: {
      post_id: 5,
      community_id: 3,
      contact_id: 7,
      body: 'Thinner.',
      parent_comment_id: 2,
      skip_notifications: false,
      approved_at: AT,
    },
  }
  const facts = { on: undefined, parent: undefined, problem: undefined, hasReplies: false }
  const removed = fact('CommentRemoved', { parent_comment_id: 2 })

  it('that was deleted is judged no more, nor reported, while its place stays', () => {
    for (const act of ['approve', 'decline', 'declineEdit', 'dismissReports', 'report'])
      given(commentRules, said, fact('CommentEmptied'))
        .when(ask(act, { by_id: 8 }))
        .refuses('notFound', /missing/)
  })

  it('15 49: leaves a place while there are replies, and goes with the last one', () => {
    given(commentRules, said).when(ask('remove'), facts).then(removed)
    given(commentRules, said)
      .when(ask('remove'), { ...facts, hasReplies: true })
      .then(fact('CommentEmptied'))
    given(commentRules, said, fact('CommentEmptied'))
      .when(ask('tidy'), { ...facts, hasReplies: true })
      .thenNothing()
    given(commentRules, said, fact('CommentEmptied')).when(ask('tidy'), facts).then(removed)
    given(commentRules, said).when(ask('tidy'), facts).thenNothing()
  })

  it('15 49: a place cannot be written in again', () => {
    given(commentRules, said, fact('CommentEmptied'))
      .when(ask('change', { body: 'More.' }), facts)
      .refuses('notFound', /missing/)
  })
})

describe('text of HTML', () => {
  it('15 70: decodes entities once, ends lines at blocks, and leaves out what nobody reads', () => {
    expect(plainText('<p>a &amp;lt; b</p><p>c<br>d</p>')).to.equal('a &lt; b\nc\nd')
    expect(plainText('<ul><li> one <li>two</ul><style>p{}</style><script>x</script>')).to.equal('one\ntwo')
    expect(plainText('plain\n  text')).to.equal('plain text')
    expect(plainText('<script>never closed')).to.equal('')
    expect(plainText('a<template><p>b</p></template>c</template>d &nbsp;&#x1F600; &bogus; 1 < 2 <!-- e -->')).to.equal(
      'acd 😀 &bogus; 1 < 2',
    )
  })

  it('15 51: is not deeper for deep markup', () => {
    expect(plainText(`${'<div>'.repeat(100_000)}x`)).to.equal('x')
  })
})

describe('provider of a video', () => {
  for (const [url, provider] of [
    ['https://www.youtube.com/watch?v=a&list=b&t=3', 'youtube'],
    ['https://youtu.be/a?t=3', 'youtube'],
    ['https://m.youtube.com/shorts/a', 'youtube'],
    ['https://www.youtube-nocookie.com/embed/a', 'youtube'],
    ['HTTPS://YouTube.com./live/a', 'youtube'],
    ['https://player.vimeo.com/video/1', 'vimeo'],
    ['https://www.loom.com/share/a', 'loom'],
    ['https://share.voomly.com/v/a', 'voomly'],
    ['https://notyoutube.com/watch', null],
    ['https://youtube.com.example.net/', null],
    ['https://example.com/youtube.com', null],
    ['https://youtube.com@example.com/', null],
    ['javascript:youtube.com', null],
    ['youtube.com/watch', null],
  ] as const)
    it(`15 72: ${url} is of ${provider ?? 'nobody known'}`, () => {
      expect(providerOf(url)).to.equal(provider)
    })
})
