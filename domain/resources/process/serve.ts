import type { Model } from '../../kernel/model/model.ts'
import type { Resource } from '../resource.ts'
import { type ServeSpec, serve } from '../serve.ts'
import type { Process } from './index.ts'

/** A process as a resource. It is written last of what comes together: whoever reads that it has ended reads what it has done. */
export const serveProcess = <M extends Model>(
  model: M,
  { decider }: Pick<Process, 'decider'>,
  spec: Omit<ServeSpec<M>, 'written'>,
): Resource => serve(model, decider, { ...spec, written: 'last' })
