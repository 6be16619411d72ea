import { Type } from 'typebox'
import type { View } from '../../kernel/resource.ts'
import { picker, propertiesOf } from '../../kinds/pick.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'

const schema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  workspace_id: Type.Integer(),
  url: Type.String(),
  name: Type.String(),
  event_type_ids: nullable(Type.Array(Type.String())),
  api_version: nullableInteger,
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
  page_ids: nullable(Type.Array(Type.Integer())),
  funnel_ids: nullable(Type.Array(Type.Integer())),
  enabled: Type.Boolean({ description: 'Whether new events are sent to it' }),
  disabled_reason: nullable(
    Type.String({ description: '`client`, `gone` (it answered 410) or `failing` (nothing succeeded for five days)' }),
  ),
  failing_since: nullable(Type.String({ format: 'date-time', description: 'No attempt has succeeded since' })),
})

/** An endpoint as the API shows it; the secret is shown once, by the writes that make one. */
export const endpointView: View = { schema, present: picker(propertiesOf(schema)) }
