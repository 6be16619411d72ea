import { membership } from '../../domain/account/public.ts'
import { filled } from '../html/filled.ts'
import { html } from '../html/html.ts'
import { saying } from '../html/page.ts'
import { form } from '../page-app/frame.ts'
import { CONFIRM, decide, type Question, questionOf } from './agent-questions.ts'
import { type Answer, forUsers, type Route, type ViewerRequest } from './request.ts'
import { WORDS } from './words.ts'

const { agents: words } = WORDS

/** Returns what the viewer is asked. Nobody else sees it, nor who has left the team since. */
const askedOf = async ({ service, viewer }: ViewerRequest, code: string): Promise<Question | undefined> => {
  const question = await questionOf(service, code)
  if (question?.userId !== viewer.userId) return undefined
  const workspace = await service.everywhere.get('workspace', question.workspaceId)
  const where = { team_id: workspace?.team_id ?? null, user_id: viewer.userId }
  const [member] = await service.everywhere.find(membership.name, { where, limit: 1 })
  return member && question
}

const gone = saying(words.gone.title, words.gone.text, undefined, 404)

const show = async (request: ViewerRequest, [code = '']: readonly string[]): Promise<Answer> => {
  const question = await askedOf(request, code)
  if (!question) return gone
  const workspace = await request.service.everywhere.get('workspace', question.workspaceId)
  const buttons = html`<p><button name="decision" value="yes">${words.yes}</button> <button class="second" name="decision" value="no">${words.no}</button></p>`
  const details = question.details.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)
  return {
    title: words.title,
    body: html`<p>${filled(words.text, { workspace: String(workspace?.name) })}</p><p><strong>${question.text}</strong></p>
<dl>${details}</dl>
${form(request, `${CONFIRM}/${code}`, buttons)}`,
  }
}

const take = async (request: ViewerRequest, sent: URLSearchParams, [code = '']: readonly string[]): Promise<Answer> => {
  if (!(await askedOf(request, code))) return gone
  const isYes = sent.get('decision') === 'yes'
  await decide(request.service, code, isYes)
  return isYes ? saying(words.done.title, words.done.text) : saying(words.refused.title, words.refused.text)
}

/** Page on which a person confirms what an agent asks for, where the workspace demands that. */
export const agentRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${CONFIRM}/([A-Z0-9]{12})$`), { proof: 'session', isOnce: true, show, take }),
]
