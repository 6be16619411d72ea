import type { Events } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { community, space, spaceGroup } from '../community/model.ts'
import { groupsOf } from '../visibility.ts'
import { participation } from './model.ts'

const { event } = participation

type Participations = Events<typeof participation>

/** What decisions need of the community and of the contact. */
export interface Facts {
  readonly community: RecordOf<typeof community> | undefined
  readonly groups: readonly RecordOf<typeof spaceGroup>[]
  /** All spaces of the community. */
  readonly spaces: readonly RecordOf<typeof space>[]
  readonly isKept: boolean
}

export interface Ends {
  readonly contact_id: number
  readonly community_id: number
}

type Present = { readonly membership_id: number; readonly space_ids: readonly number[] }

/** Brings a member into exactly these spaces. */
export const move = (
  { membership_id, space_ids }: Present,
  wanted: readonly number[],
  { spaces }: Pick<Facts, 'spaces'>,
): Participations => {
  const all = [...new Set(wanted)]
  const entered_space_ids = all.filter((id) => !space_ids.includes(id))
  const stays = space_ids.filter((id) => all.includes(id))
  const groups = groupsOf(space_ids, spaces)
  const entered_group_ids = groupsOf(entered_space_ids, spaces).filter((id) => !groups.includes(id))
  const entered = { membership_id, space_ids: [...stays, ...entered_space_ids], entered_space_ids, entered_group_ids }
  return [
    ...(stays.length < space_ids.length ? [event.SpacesLeft({ membership_id, space_ids: stays })] : []),
    ...(entered_space_ids.length > 0 ? [event.SpacesEntered(entered)] : []),
  ]
}
