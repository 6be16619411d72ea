import { ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { page } from '../../domain/pages/page/model.ts'
import { pages } from '../../domain/pages/public.ts'
import type { PagesService } from './service.ts'

const LENGTH = 24
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns the token that a page without one gets. It follows from the secret of the installation, so that all processes give the same. */
const derivedToken = ({ secrets }: PagesService, id: number): string => {
  const bytes = secrets.derive('pages/token', String(id))
  return `cfp_${[...bytes.slice(0, LENGTH)].map((byte) => CHARACTERS[byte % CHARACTERS.length]).join('')}`
}

/** Returns the token of a page, by which the SDK knows it. Gives one to a page of a former version, which has none yet. */
export const tokenOf = async (
  { id, token, workspace_id: workspaceId = 0 }: RecordOf<typeof page>,
  service: PagesService,
): Promise<string> => {
  if (token !== null) return token
  const derived = derivedToken(service, id)
  const { engine, now } = service
  const at = new Date(now(workspaceId)).toISOString()
  const occasion = { actor: { label: 'pages' }, at, cause: `page-token:${id}`, workspaceId }
  await desk({ engine })(occasion, ask(pages, id, 'mintToken', { token: derived }))
  return derived
}
