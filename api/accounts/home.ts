import { membership, team, workspace } from '../../domain/account/public.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import { type Html, html } from '../html/html.ts'
import { PREFIX } from '../routes.ts'
import { teamPath } from './people/team-path.ts'
import { type Answer, forUsers, type Route, type ViewerRequest } from './request.ts'
import { credentialsOf, HOME } from './signed-in.ts'
import { WORDS } from './words.ts'

const { account } = WORDS

/** Returns the teams of a user with their workspaces. */
const teamsOf = async ({ service: { everywhere }, viewer }: ViewerRequest) => {
  const read = readEverywhere(everywhere)
  const memberships = await read.find(membership, { where: { user_id: viewer.userId } })
  return Promise.all(
    memberships.map(async ({ team_id }) => ({
      team: await read.one(team, team_id),
      workspaces: await read.find(workspace, { where: { team_id } }),
    })),
  )
}

const shownTeam = ({ team: of, workspaces }: Awaited<ReturnType<typeof teamsOf>>[number]): Html =>
  html`<li class="item"><h3>${of && html`<a href="${teamPath(of.id)}">${of.name}</a>`}</h3><ul class="plain">${workspaces.map(
    ({ name, id }) =>
      html`<li>${name} <span class="quiet">${account.workspace.replace('{id}', String(id))}</span></li>`,
  )}</ul></li>`

const show = async (request: ViewerRequest): Promise<Answer> => {
  const { service, viewer } = request
  const [teams, held] = await Promise.all([teamsOf(request), credentialsOf(service, viewer.userId)])
  const hasPassword = typeof held?.password === 'string'
  const change = html`<a href="/account/password">${hasPassword ? account.changePassword : account.setPassword}</a>`
  return {
    title: account.title,
    within: HOME,
    body: html`${!hasPassword && html`<p class="notice">${account.noPassword} ${change}</p>`}
<h2>${account.teams}</h2>
${teams.length === 0 ? html`<p>${account.noTeams}</p>` : html`<ul class="plain">${teams.map(shownTeam)}</ul>`}
<h2>${account.more}</h2><ul class="plain">${hasPassword && html`<li>${change}</li>`}<li><a href="${PREFIX}/reference">${account.reference}</a></li></ul>`,
  }
}

/** Start page of those who are signed in. */
export const homeRoutes: readonly Route[] = [forUsers(new RegExp(`^${HOME}$`), { show })]
