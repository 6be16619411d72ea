import {
  credentials,
  invitation,
  invitationStatus,
  isOpen,
  type Role,
  teams,
  userByAddress,
} from '../../domain/account/public.ts'
import { ask, within } from '../../domain/kernel/decide/ask.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import type { InvitationLinks } from '../../domain/kernel/ports/invitation-links.ts'
import type { Document, ReadModels, Where } from '../../domain/kernel/ports/read-models.ts'
import { type Ids, withIds } from '../../domain/kernel/values/ids.ts'
import { cleanAddress, isAddress, mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

/** Dependencies of the operator's actions on people. */
export interface UsersDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly ids: Ids
  readonly now: () => number
  readonly invitationLinks: InvitationLinks
  /** Whether mails leave the house. */
  readonly isMailed: boolean
  /** Issues a link for a user. @returns its path */
  issueLink(userId: number, purpose: 'reset'): Promise<string>
}

/** A person of a team, as a list shows it: a member, or somebody who is invited. */
export interface ListedPerson {
  readonly team_id: number
  /** `null`: not a user yet. */
  readonly user_id: number | null
  readonly email: string
  readonly name: string
  readonly role_ids: readonly string[]
  readonly status: 'member' | 'open' | 'expired'
}

export interface NewInvitation {
  readonly email: string
  readonly role: Role
  /** Default: the only team that there is. */
  readonly teamId?: number
}

/** Invitation with its link, which proves the address and is stored nowhere. */
export interface IssuedInvitation {
  readonly id: number
  readonly team_id: number
  readonly email: string
  readonly role_ids: readonly string[]
  readonly expires_at: string
  /** Path of the link at the address of the accounts. */
  readonly path: string
  /** Whether a mail brings the link as well. */
  readonly mailed: boolean
}

/** Person who is to be let in anew. */
export interface NamedUser {
  readonly address: string
}

/** What is reset of a person. */
export interface NewReset extends NamedUser {
  /** Whether codes of an app are asked for no more, too: the person has lost all of them. */
  readonly totp?: boolean
}

/** Link by which a person gets in, and chooses a password. */
export interface IssuedReset {
  readonly user_id: number
  readonly email: string
  /** Path of the link at the address of the accounts. */
  readonly path: string
}

const namesOf = (teams: readonly Document[]) => teams.map(({ id, name }) => `  ${id}  ${name}`).join('\n')

/** The operator's actions on the people of teams. */
export class OperatorUsers {
  readonly #deps: UsersDeps

  constructor(deps: UsersDeps) {
    this.#deps = deps
  }

  /** Lists the members of one team or of all, and those who are invited. */
  async list(teamId?: number): Promise<readonly ListedPerson[]> {
    const { live, now } = this.#deps
    const at = new Date(now()).toISOString()
    const where: Where = teamId === undefined ? {} : { team_id: teamId }
    const all = await live.find('membership', { where })
    const members = all.filter(({ platform_agent }) => platform_agent !== true)
    const users = await live.getMany(
      'user',
      members.map(({ user_id }) => Number(user_id)),
    )
    const invited = await readEverywhere(live).find(invitation, { where })
    return [
      ...members.map((member, index) => memberOf(member, users[index])),
      ...invited.flatMap(({ team_id, email, role_ids, ...one }) => {
        const status = invitationStatus(one, at)
        if (status !== 'open' && status !== 'expired') return []
        return { team_id: Number(team_id), user_id: null, email, name: '', role_ids, status }
      }),
    ]
  }

  /** Invites somebody to a team. An invitation that is open gets another link, and the one before ends. @throws {Refusal} when it is refused */
  async invite({ email: given, role, teamId }: NewInvitation): Promise<IssuedInvitation> {
    const { ids, live, invitationLinks, isMailed } = this.#deps
    const email = cleanAddress(given)
    if (!isAddress(email)) throw refuse.invalid(`${given} is no e-mail address`, 'email', 'invalid')
    const team = await this.#teamFor(teamId)
    const open = await this.#openInvitation(team, email)
    const id = open ?? (await withIds(ids, () => ids.next(invitation.name)))
    const asked = within(teams, team, invitation)
    await this.#carryOut(
      open === undefined ? ask(asked, id, 'create', { email, role_ids: [role] }) : ask(asked, id, 'renew', {}),
      team,
    )
    const made = await readEverywhere(live).one(invitation, id)
    if (!made) throw refuse.unavailable('The invitation cannot be read yet; invite once more')
    const link = { teamId: team, invitationId: id, number: made.link_number }
    return {
      ...{ id, team_id: team, email: made.email, role_ids: made.role_ids, expires_at: made.expires_at },
      path: invitationLinks.pathOf(link, made.email),
      mailed: isMailed,
    }
  }

  /** Ends all sessions, links and agents' grants of a person, and issues a link by which the person chooses a password. @throws {Refusal} when there is no such user */
  async reset({ address, totp = false }: NewReset): Promise<IssuedReset> {
    const { live, issueLink, now } = this.#deps
    const user = await userByAddress(address, live)
    if (!user) throw refuse.notFound(`No user has the address ${address}`)
    const { id, email } = user
    const acts = [
      ask(credentials, id, 'create', { user_id: id }),
      ask(credentials, id, 'resetAccess', {}),
      ...(totp ? [ask(credentials, id, 'resetCodeApp', {})] : []),
    ]
    for (const asked of acts) await carryOut(this.#deps, asked, {}, now())
    return { user_id: id, email, path: await issueLink(id, 'reset') }
  }

  async #openInvitation(team_id: number, email: string): Promise<number | undefined> {
    const { live, now } = this.#deps
    const at = new Date(now()).toISOString()
    const all = await readEverywhere(live).find(invitation, { where: { team_id } })
    return all.find((one) => isOpen(one, at) && mailboxOf(one.email) === mailboxOf(email))?.id
  }

  /** Returns the given team, or the only one there is. @throws {Refusal} with the ones to choose from */
  async #teamFor(given: number | undefined): Promise<number> {
    const all = await this.#deps.live.find('team', { where: {} })
    const chosen = given === undefined && all.length === 1 ? all[0] : all.find(({ id }) => id === given)
    if (chosen) return Number(chosen.id)
    const listed = all.length > 0 ? `; there are\n${namesOf(all)}` : '; there is none yet: millrace workspace create'
    throw refuse.invalid(`say which team with --team ID${listed}`, 'team', 'blank')
  }

  #carryOut(asked: Parameters<typeof carryOut>[1], teamId: number): Promise<void> {
    return carryOut(this.#deps, asked, { teamId }, this.#deps.now())
  }
}

const memberOf = ({ team_id, user_id, role_ids }: Document, user: Document | undefined): ListedPerson => ({
  team_id: Number(team_id),
  user_id: Number(user_id),
  email: String(user?.email ?? ''),
  name: [user?.first_name, user?.last_name].filter(Boolean).join(' '),
  role_ids: (role_ids ?? []) as readonly string[],
  status: 'member',
})
