import { Type } from 'typebox'
import type { View } from '../../kernel/resource.ts'
import { picker } from '../../kinds/pick.ts'
import { dateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'

const core = {
  id: Type.Integer(),
  public_id: Type.String(),
  workspace_id: Type.Integer(),
  name: Type.String(),
}
const times = { created_at: dateTime, updated_at: dateTime }
const code = { head_code: nullableString, footer_code: nullableString }

const pick = picker(Object.keys(core))
const pickTimes = picker(Object.keys(times))
const pickTag = picker(['id', 'public_id', 'name', 'color'])

/** The compact funnel that other records carry. */
export const funnelShortSchema = Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String() })
export const presentFunnelShort = picker(Object.keys(funnelShortSchema.properties))

/** A funnel without its steps: those are its structure. */
export const funnelView: View = {
  schema: Type.Object({
    ...core,
    archived: Type.Boolean(),
    current_path: Type.String(),
    live_mode: Type.Boolean({ description: 'false: test mode' }),
    domain_id: nullableInteger,
    favicon_image_id: nullableString,
    ...times,
    tags: Type.Array(
      Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String(), color: Type.String() }),
    ),
  }),
  expands: code,
  async present(document, load, expand) {
    const tags = await load.many('funnels/tag', (document.tag_ids ?? []) as readonly number[])
    const parts = Object.keys(code).filter((name) => expand.has(name))
    return {
      ...pick(document),
      archived: false,
      current_path: document.current_path,
      live_mode: document.live_mode,
      domain_id: document.domain_id,
      favicon_image_id: null,
      ...pickTimes(document),
      tags: tags.map(pickTag),
      ...Object.fromEntries(parts.map((name) => [name, document[name] ?? null])),
    }
  },
}
