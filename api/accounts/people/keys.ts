import { apiKey, issueKey } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { beginningOf } from '../../../domain/kernel/values/characters.ts'
import { withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { SCOPES, scopeWarnings } from '../../../domain/kernel/values/scopes.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { newKeyToken, storedOf } from '../../token-hash.ts'
import type { AccountPage, Answer, Route } from '../request.ts'
import { field } from '../shell.ts'
import { tellOwner } from '../tell-owner.ts'
import { WORDS as ALL } from '../words.ts'
import { actInTeam, forMembers, type TeamRequest } from './viewed-team.ts'
import { WORDS } from './words.ts'

const { keys: words } = WORDS

const MOST_LABEL = 255
const USUAL = 'read write'

const workspacesOf = async ({ service, viewed }: TeamRequest): Promise<readonly Document[]> =>
  service.everywhere.find('workspace', { where: { team_id: viewed.team.id } })

const keyItem = (
  request: TeamRequest,
  { id, hint, label, scopes, only_workspace_id, made_by_id }: Document,
  names: ReadonlyMap<number, string>,
): Html => {
  const { viewed } = request
  const reach = typeof only_workspace_id === 'number' ? (names.get(only_workspace_id) ?? '') : words.whole
  const by = viewed.members.find(({ user_id }) => user_id === made_by_id)
  const maker = made_by_id === null ? words.operator : (by?.name ?? `#${String(made_by_id)}`)
  const button = html`<button class="second" aria-label="${filled(words.revokeOf, { hint: String(hint) })}">${words.revoke}</button>`
  return html`<li class="item"><strong>${String(hint)}…</strong> ${String(label)} · ${reach} · ${(scopes as readonly string[]).join(' ')} · <span class="quiet">${words.by} ${maker}</span><br>${form(request, `${viewed.path}/keys/${String(id)}/revoke`, button, { isInline: true })}</li>`
}

interface Sent {
  readonly label: string
  readonly scopes: string
  readonly workspace: string
}

type Problems = { readonly [name in keyof Sent]?: string }

const page = async (
  request: TeamRequest,
  { label, scopes, workspace }: Sent = { label: '', scopes: USUAL, workspace: '' },
  problems: Problems = {},
): Promise<AccountPage> => {
  const { service, viewed } = request
  const [all, workspaces] = await Promise.all([
    service.everywhere.find('api_key', { where: { team_id: viewed.team.id } }),
    workspacesOf(request),
  ])
  const names = new Map(workspaces.map(({ id, name }) => [Number(id), String(name)]))
  const choices = workspaces.map(
    ({ id, name }) =>
      html`<option value="${String(id)}"${String(id) === workspace && html` selected`}>${String(name)}</option>`,
  )
  const fields = html`${field({ name: 'label', label: words.label, type: 'text', autocomplete: 'off', value: label, problem: problems.label })}
<label for="workspace">${words.reach}</label><select id="workspace" name="workspace">${choices}<option value="all"${workspace === 'all' && html` selected`}>${words.whole}</option></select>
${field({ name: 'scopes', label: words.scopes, type: 'text', autocomplete: 'off', value: scopes, problem: problems.scopes, hint: words.scopesHint })}
<p><button>${words.make}</button></p>`
  const valid = all.filter(({ hash }) => typeof hash === 'string')
  return {
    ...(Object.keys(problems).length > 0 && { status: 422 }),
    title: words.title,
    body: html`<p>${words.text}</p><ul class="plain">${valid.map((key) => keyItem(request, key, names))}</ul>
<h2>${words.make}</h2>${form(request, `${viewed.path}/keys`, fields)}
<p><a href="${viewed.path}">${WORDS.removal.back}</a></p>`,
  }
}

const problemsOf = (label: string, scopes: readonly string[]): Problems => {
  const unknown = scopes.find((scope) => !SCOPES.includes(scope))
  const isLabel = label !== '' && label.length <= MOST_LABEL && label.isWellFormed() && !label.includes('\u0000')
  const wrong =
    unknown === undefined
      ? scopes.length === 0 && words.scopesMissing
      : filled(words.scopesWrong, { scope: beginningOf(unknown, MOST_LABEL), scopes: SCOPES.join(', ') })
  return { ...(!isLabel && { label: words.labelWrong }), ...(wrong !== false && { scopes: wrong }) }
}

/** Makes a key, and shows its token this once. */
const make = async (request: TeamRequest, sent: URLSearchParams): Promise<Answer> => {
  const { service, viewed, viewer } = request
  const given = {
    label: (sent.get('label') ?? '').trim(),
    scopes: sent.get('scopes') ?? '',
    workspace: sent.get('workspace') ?? '',
  }
  const scopes = given.scopes.split(/[\s,]+/).filter((scope) => scope !== '')
  const problems = problemsOf(given.label, scopes)
  if (Object.keys(problems).length > 0) return page(request, given, problems)
  const workspace = (await workspacesOf(request)).find(({ id }) => String(id) === given.workspace)
  if (!workspace && given.workspace !== 'all') return page(request, given)
  const token = newKeyToken()
  const { ids } = service
  const id = await withIds(ids, () => ids.next(apiKey.name))
  const issued = {
    ...{ teamId: viewed.team.id, workspaceId: workspace ? Number(workspace.id) : null, scopes, label: given.label },
    ...{ ...storedOf(token), madeById: viewer.userId },
  }
  const asked = await issueKey(id, issued, service.everywhere)
  if (asked instanceof Refusal) throw asked
  const refused = await actInTeam(request, asked)
  if (refused) return refused
  tellOwner(service, viewer.userId, ALL.changed.key)
  const warnings = scopeWarnings(scopes).map((text) => html`<p class="notice">${text}</p>`)
  return {
    title: words.madeTitle,
    body: html`<p>${words.made}</p><pre><code>${token}</code></pre>${warnings}<p><a href="${viewed.path}/keys">${words.back}</a></p>`,
  }
}

const revoke = async (request: TeamRequest, _: URLSearchParams, [id = 0]: readonly number[]): Promise<Answer> => {
  const { service, viewed } = request
  const key = await service.everywhere.get('api_key', id)
  if (key?.team_id !== viewed.team.id) return undefined
  const revoked = ask(apiKey.aggregate, id, 'change', { hash: null })
  return (await actInTeam(request, revoked)) ?? { to: `${viewed.path}/keys` }
}

/** Pages on which admins make and revoke the keys of their team. */
export const keyRoutes: readonly Route[] = [
  forMembers('/keys', { ofAdmins: true, show: (request) => page(request), take: make }),
  forMembers('/keys/([1-9]\\d{0,15})/revoke', { ofAdmins: true, proof: 'session', take: revoke }),
]
