import type { Decider } from '../../kernel/decide/decider.ts'
import type { ActInputs } from '../../kernel/decide/rules.ts'
import type { Model } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { Resource } from '../resource.ts'
import { nullableString } from '../schemas.ts'
import { type InputsIn, type ServeSpec, serve } from '../serve.ts'
import type { ViewParts } from '../view.ts'

const failureReason = {
  schema: { ...nullableString, description: 'Why the process goes no further, or has been compensated' },
  of: (record: object) => (record as JsonObject).because ?? null,
}

/** Builds the resource of a process. Its document is written last of a batch: a reader who sees that it has ended also sees its effects. */
export const serveProcess = <M extends Model, Members>(
  model: M,
  { decider }: { readonly decider: Decider<ActInputs, Members> },
  { view, ...spec }: Omit<ServeSpec<NoInfer<M>, InputsIn<Members, M>>, 'written'>,
): Resource =>
  serve(model, decider, { ...spec, view: { ...view, failure_reason: failureReason } as ViewParts<M>, written: 'last' })
