import { posts, REPORT_TYPES } from '../../../domain/communities/public.ts'
import { type Ask, ask } from '../../../domain/kernel/decide/ask.ts'
import { filled } from '../../html/filled.ts'
import { html } from '../../html/html.ts'
import { carryOut } from '../carry-out.ts'
import { type Answer, forMembers, type MemberPage, type Route, type SignedInRequest } from '../request.ts'
import { notice, page, problemText, question } from './parts.ts'
import { pathOf } from './paths.ts'
import { commentSubject, type FindSubject, postSubject, type Subject } from './subjects.ts'
import { isFormatted, typedOf } from './text.ts'
import { bodyIn, lengthProblem, type Typed, textForm, typedIn } from './write.ts'

type Kind = 'posts' | 'comments'

const pathIn = (kind: Kind, act: string) => new RegExp(`^/members/${kind}/(\\d{1,15})/${act}$`)

/** Links back to what somebody acts on. */
const backTo = ({ at: { words, post }, back }: Subject) =>
  html`<p><a href="${back}">${filled(words.back, { name: post.title })}</a></p>`

/** Says that something was refused. */
const refusedPage = (subject: Subject, text: string): MemberPage => page(text, backTo(subject), 409)

const byId = ({ at }: Subject): number => at.member.contact_id

/** Declares a button that asks for one thing. @param asked returns the command; `undefined`: it is done already */
const act = (
  [kind, find]: readonly [Kind, FindSubject],
  name: string,
  asked: (subject: Subject, sent: URLSearchParams) => Ask | undefined | Promise<Ask | undefined>,
): Route =>
  forMembers(pathIn(kind, name), {
    async take(request, [id = 0], sent) {
      const subject = await find(request, id)
      if (!subject) return undefined
      const command = await asked(subject, sent)
      const refused = command && (await carryOut(request, command))
      if (!refused) return { to: subject.back }
      if (refused.kind === 'notFound') return undefined
      const { moderation, problem } = subject.at.words
      return refusedPage(subject, refused.kind === 'conflict' ? moderation.changedMeanwhile : problem.other)
    },
  })

const mayChange = ({ at, record }: Subject): boolean =>
  at.member.moderator || record.contact_id === at.member.contact_id

interface LastText {
  readonly typed: Typed
  readonly body: string | null
}

/** Returns the text that an author goes on writing: that of the edit which waits, if there is one. */
const lastText = async ({ record, title = '' }: Subject): Promise<LastText> => {
  const { pending_edit: edit } = record
  const body = edit ? edit.body : record.body
  return { typed: { title: edit?.title ?? title, body: await typedOf(body), mention: [] }, body }
}

const editPage = async (subject: Subject, typed?: Typed, problem?: string): Promise<MemberPage> => {
  const { at, path, back, title } = subject
  const { write } = at.words
  const last = await lastText(subject)
  const fields = await textForm(at, {
    ...{ action: `${path}/edit`, label: write.body, button: write.save, typed: typed ?? last.typed },
    hasTitle: title !== undefined,
    ...(isFormatted(last.body, last.typed.body) && { hint: notice(write.formatted) }),
    ...(problem !== undefined && { problem }),
  })
  const cancel = html`<p><a href="${back}">${write.cancel}</a></p>`
  return page(write.editTitle, html`${fields}${cancel}`, problem === undefined ? 200 : 422)
}

const takeEdit = async (request: SignedInRequest, subject: Subject, sent: URLSearchParams): Promise<Answer> => {
  const typed = typedIn(sent)
  if (typed.find !== undefined) return editPage(subject, typed)
  const problem = lengthProblem(subject.at, typed)
  if (problem !== undefined) return editPage(subject, typed, problem)
  const { title } = subject
  const wanted = { by_id: byId(subject), body: bodyIn(typed), ...(title !== undefined && { title: typed.title }) }
  const refused = await carryOut(request, subject.edit(wanted))
  if (!refused) return { to: subject.back }
  return refused.kind === 'notFound' ? undefined : editPage(subject, typed, problemText(subject.at.words, refused))
}

const editing = ([kind, find]: readonly [Kind, FindSubject]): Route => {
  const own: FindSubject = async (request, id) => {
    const subject = await find(request, id)
    return subject && mayChange(subject) ? subject : undefined
  }
  return forMembers(pathIn(kind, 'edit'), {
    async show(request, [id = 0]) {
      const subject = await own(request, id)
      return subject && editPage(subject)
    },
    async take(request, [id = 0], sent) {
      const subject = await own(request, id)
      return subject && takeEdit(request, subject, sent)
    },
  })
}

const deleting = ([kind, find]: readonly [Kind, FindSubject]): Route =>
  forMembers(pathIn(kind, 'delete'), {
    async show(request, [id = 0]) {
      const subject = await find(request, id)
      if (!subject || !mayChange(subject)) return undefined
      const { write } = subject.at.words
      const words = {
        title: write.removeTitle,
        text: html`<p>${write.removeText}</p>`,
        button: write.remove,
        cancel: write.cancel,
      }
      return question(request, words, { action: `${subject.path}/delete`, back: subject.back })
    },
    async take(request, [id = 0]) {
      const subject = await find(request, id)
      if (!subject || !mayChange(subject)) return undefined
      const refused = await carryOut(request, subject.remove(byId(subject)))
      if (refused) return undefined
      const { post, place } = subject.at
      return { to: kind === 'posts' ? pathOf.space(place.space.id) : pathOf.post(post.id) }
    },
  })

/** Says to an author that it cannot report itself. */
const ownPage = (subject: Subject): MemberPage => {
  const { report, reportOwn } = subject.at.words
  return page(report, html`${notice(reportOwn)}${backTo(subject)}`, 422)
}

const reporting = ([kind, find]: readonly [Kind, FindSubject]): Route =>
  forMembers(pathIn(kind, 'report'), {
    async show(request, [id = 0]) {
      const subject = await find(request, id)
      if (!subject) return undefined
      if (subject.record.contact_id === byId(subject)) return ownPage(subject)
      const { words } = subject.at
      const kinds = REPORT_TYPES.map(
        (type, n) =>
          html`<label class="choice"><input type="radio" name="report_type" value="${type}"${n === 0 && html` checked`}> ${words.reportKinds[type]}</label>`,
      )
      const text = html`<fieldset><legend>${words.reportKind}</legend>${kinds}</fieldset>`
      const asked = { title: words.reportTitle, text, button: words.report, cancel: words.write.cancel }
      return question(request, asked, { action: `${subject.path}/report`, back: subject.back })
    },
    async take(request, [id = 0], sent) {
      const subject = await find(request, id)
      if (!subject) return undefined
      const report_type = REPORT_TYPES.find((type) => type === sent.get('report_type')) ?? 'other'
      const refused = await carryOut(request, subject.report({ by_id: byId(subject), report_type }))
      if (refused) return refused.kind === 'invalid' ? ownPage(subject) : undefined
      const { words } = subject.at
      return page(words.report, html`<p>${words.reported}</p>${backTo(subject)}`)
    },
  })

const seenIn = (sent: URLSearchParams): number => {
  const seen = sent.get('seen_rev') ?? ''
  // Who sends no revision has seen none.
  return /^\d{1,15}$/.test(seen) ? Number(seen) : -1
}

const actsOf = (kind: readonly [Kind, FindSubject]): readonly Route[] => [
  act(kind, 'like', (subject) => subject.like(byId(subject))),
  act(kind, 'unlike', (subject) => subject.unlike(byId(subject))),
  act(kind, 'approve', (subject, sent) => subject.approve({ by_id: byId(subject), seen_rev: seenIn(sent) })),
  act(kind, 'decline', (subject) => subject.moderate('decline', byId(subject))),
  act(kind, 'decline-edit', (subject) => subject.moderate('declineEdit', byId(subject))),
  act(kind, 'dismiss', (subject) => subject.moderate('dismissReports', byId(subject))),
  editing(kind),
  deleting(kind),
  reporting(kind),
]

const POSTS = ['posts', postSubject] as const
const COMMENTS = ['comments', commentSubject] as const

/** What members do with posts and comments. */
export const actRoutes: readonly Route[] = [
  ...actsOf(POSTS),
  ...actsOf(COMMENTS),
  act(POSTS, 'pin', (subject) => ask(posts, subject.at.post.id, 'pin', { by_id: byId(subject) })),
  act(POSTS, 'unpin', (subject) => ask(posts, subject.at.post.id, 'unpin', { by_id: byId(subject) })),
]
