import { credential, credentials, type LinkPurpose, membership } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { UserLinks } from '../../domain/kernel/ports/user-links.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface LinkDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly userLinks: UserLinks
  readonly now: () => number
}

/** Returns the actions of the operator that let people in. */
export const operatorUserLinks = (deps: LinkDeps) => {
  const { engine, live, userLinks, now } = deps

  const issue = async (userId: number, purpose: LinkPurpose): Promise<string> => {
    await carryOut(deps, ask(credentials, userId, 'create', { user_id: userId }), {}, now())
    await carryOut(deps, ask(credentials, userId, 'issueLink', { purpose, to: null }), {}, now())
    // If another process has issued one as well, the newest is the one that works.
    const number = (await engine.records(credentials, userId, -1)).root(credential)?.link_count ?? 0
    return userLinks.pathOf({ userId, number })
  }

  const firstOwner = async (): Promise<number | undefined> => {
    const [first] = await live.find('team', { where: {}, limit: 1 })
    if (!first) return undefined
    const members = await readEverywhere(live).find(membership, { where: { team_id: Number(first.id) } })
    return members.find(({ platform_agent }) => !platform_agent)?.user_id ?? undefined
  }

  return {
    /** Issues a link for a user. @returns its path on the host on which people sign in */
    issue,
    /** Issues the link of the first owner, and ends the one before. @returns its path; `undefined` once anybody has signed in, or when there is no owner yet */
    async first(): Promise<string | undefined> {
      const [anybody] = await live.find('credentials', { where: { has_signed_in: true }, limit: 1 })
      const owner = anybody ? undefined : await firstOwner()
      return owner === undefined ? undefined : issue(owner, 'first')
    },
  }
}

export type OperatorUserLinks = ReturnType<typeof operatorUserLinks>
