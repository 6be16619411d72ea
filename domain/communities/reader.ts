import type { Reader } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { community, space, spaceGroup } from './community/model.ts'
import { standingsOf } from './standing.ts'
import { degreeOf, type Member, type Place } from './visibility.ts'

/** A space with what it is in. */
export interface WholePlace extends Place {
  readonly community: RecordOf<typeof community>
  readonly group: RecordOf<typeof spaceGroup>
  readonly space: RecordOf<typeof space>
}

/** Returns a space with what it is in; `undefined` if any of it is gone. */
export const placeOf = async (spaceId: number | null | undefined, read: Reader): Promise<WholePlace | undefined> => {
  const found = await read.one(space, spaceId)
  if (!found) return undefined
  const [of, group] = await Promise.all([
    read.one(community, found.community_id),
    read.one(spaceGroup, found.space_group_id),
  ])
  return of && group ? { community: of, group, space: found } : undefined
}

/** Says which member acts. Absent: staff do, by a request. */
export type By = { readonly by_id?: number }

/** Who acts in a space. */
export interface Acting {
  readonly place: WholePlace | undefined
  /** `undefined`: staff, or nobody who is a member. */
  readonly member: Member | undefined
}

/** Returns who acts in a space. */
export const actingIn = async ({ by_id }: By, spaceId: number | null | undefined, read: Reader): Promise<Acting> => {
  const place = await placeOf(spaceId, read)
  if (!place || by_id === undefined) return { place, member: undefined }
  return { place, member: (await standingsOf([by_id], place.community.id, read)).get(by_id)?.member }
}

/** Returns why somebody may not act in a space as a member. Of what is hidden nobody learns that it exists. */
export const outsideProblem = ({ place, member }: Acting): Refusal | undefined => {
  const degree = place ? degreeOf(place, member) : 'hidden'
  if (degree === 'hidden') return refuse.notFound()
  if (degree === 'closed') return refuse.forbidden('This space is open only to those who are in it')
  return member ? undefined : refuse.forbidden('Only members of the community may do this')
}
