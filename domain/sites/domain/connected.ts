import type { RecordOf } from '../../kernel/model/model.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { domain } from './model.ts'

/** Returns the refusal of a domain under which nothing is served yet. @param field that names it */
export const notConnected = (
  { name, connected }: Pick<RecordOf<typeof domain>, 'name' | 'connected'>,
  field: string,
): Refusal | undefined =>
  connected ? undefined : refuse.invalid(`Domain ${name} is not connected: prove it first`, field, 'not_connected')
