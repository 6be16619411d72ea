import {
  type Invitation,
  invitation,
  isAdmin,
  type Membership,
  membership,
  type Team,
  team,
  teams,
} from '../../../domain/account/public.ts'
import type { Ask } from '../../../domain/kernel/decide/ask.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { html } from '../../html/html.ts'
import { saying } from '../../html/page.ts'
import { carryOut } from '../carry-out.ts'
import { type AccountPage, type Answer, forUsers, type Proof, type Route, type ViewerRequest } from '../request.ts'
import { WORDS as ALL } from '../words.ts'
import { teamPath } from './team-path.ts'
import { WORDS } from './words.ts'

/** Member with what is shown of the user. */
export interface ShownMember extends Membership {
  readonly name: string
  readonly email: string
}

/** Team as one of its members sees it. */
export interface ViewedTeam {
  readonly team: Team
  readonly path: string
  readonly members: readonly ShownMember[]
  readonly invitations: readonly Invitation[]
  /** Membership of who is signed in. */
  readonly own: ShownMember
  readonly isAdmin: boolean
}

const shown = (one: Membership, user: Document | undefined): ShownMember => {
  const email = String(user?.email ?? '')
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ')
  return { ...one, email, name: name === '' ? email : name }
}

/** Returns a team as the log has it now; `undefined` unless who is signed in is a member. */
const viewedTeam = async ({ service, viewer }: ViewerRequest, id: number): Promise<ViewedTeam | undefined> => {
  const records = await service.engine.records(teams, id, -1)
  const people = records.all(membership).filter(({ platform_agent }) => !platform_agent)
  const found = records.root(team)
  if (!found || !people.some(({ user_id }) => user_id === viewer.userId)) return undefined
  const users = await service.everywhere.getMany(
    'user',
    people.map(({ user_id }) => user_id),
  )
  const members = people.map((one, index) => shown(one, users[index]))
  const own = members.find(({ user_id }) => user_id === viewer.userId)
  const invitations = records.all(invitation)
  return own && { team: found, path: teamPath(id), members, invitations, own, isAdmin: isAdmin(own) }
}

/** Request for a page of a team by one of its members. */
export type TeamRequest = ViewerRequest & { readonly viewed: ViewedTeam }

type MaybeAnswer = Promise<Answer> | Answer

interface OfTeam {
  /** What its form takes of the member. Default: that the member signed in of late. */
  readonly proof?: Proof
  /** Whether only admins see it. */
  readonly ofAdmins?: true
  readonly show?: (request: TeamRequest, ids: readonly number[]) => MaybeAnswer
  readonly take?: (request: TeamRequest, sent: URLSearchParams, ids: readonly number[]) => MaybeAnswer
}

/** Declares pages of a team for its members, below its path. Others find nothing there. */
export const forMembers = (below: string, { ofAdmins, proof, show, take }: OfTeam): Route => {
  const viewedBy = async (request: ViewerRequest, groups: readonly string[]) => {
    const [teamId = 0, ...ids] = groups.map(Number)
    const viewed = await viewedTeam(request, teamId)
    return viewed && (viewed.isAdmin || !ofAdmins) ? { request: { ...request, viewed }, ids } : undefined
  }
  return forUsers(new RegExp(`^/account/teams/([1-9]\\d{0,15})${below}$`), {
    ...(proof && { proof }),
    ...(show && {
      async show(request, groups) {
        const found = await viewedBy(request, groups)
        return found && show(found.request, found.ids)
      },
    }),
    ...(take && {
      async take(request, sent, groups) {
        const found = await viewedBy(request, groups)
        return found && take(found.request, sent, found.ids)
      },
    }),
  })
}

/** Carries out what a member asks for. @returns the page that says why the team stays as it is; `undefined` when it was done @throws {Refusal} any other */
export const actInTeam = async (request: TeamRequest, asked: Ask): Promise<AccountPage | undefined> => {
  const { team: of, own, path } = request.viewed
  const result = await carryOut(request, asked, { teamId: of.id, membershipId: own.id })
  if (!(result instanceof Refusal)) return undefined
  if (result.kind !== 'invalid') throw result
  const back = html`<p><a href="${path}">${WORDS.removal.back}</a></p>`
  return saying(ALL.refused.title, `${result.message}.`, back, 422)
}
