import type { MemberBrowser } from '../../../support/member.ts'
import type { MemberCommunity, Person } from '../../../support/member-communities.ts'
import type { Tenant, TestService } from '../../../support/service.ts'

/** A workspace with a member, and a crowd of other contacts who are called alike. */
export interface Stage {
  readonly service: TestService
  readonly tenant: Tenant
  readonly ada: Person
  /** Ids of contacts. None has joined a community. */
  readonly crowd: readonly number[]
  /** Makes a community that ada is a member of. */
  community(fields?: object, inSpace?: object): Promise<MemberCommunity>
}

/** What a page shows, although three times as many hidden records as its limit come before. */
export interface ShownBehind {
  readonly page: string
  readonly text: string | RegExp
  /** What the hidden ones would show. */
  readonly hidden?: string | RegExp
  /** Whose browser gets the page; default: that of ada. */
  readonly browser?: Pick<MemberBrowser, 'get'>
}

/** A list that members see. */
export interface MemberList {
  /** Paths of the pages that show it. */
  readonly pages: readonly string[]
  /** Limits of its queries, by their files and names in the source. */
  readonly limits: readonly string[]
  make(stage: Stage): Promise<ShownBehind>
}

/** Name of the crowd, and of what is hidden. */
export const HIDDEN = 'Wanda'

/** Makes something many times, a few at once. */
export const times = async <T>(count: number, make: (n: number) => Promise<T>): Promise<readonly T[]> => {
  const made: T[] = []
  const AT_ONCE = 10
  for (let from = 0; from < count; from += AT_ONCE)
    made.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => make(from + n)))))
  return made
}
