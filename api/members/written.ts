import { shownImages } from '../../domain/media/public.ts'
import type { HtmlHooks } from '../../domain/resources/html/safe-html.ts'
import type { ReaderRequest } from './request.ts'

/** Returns what is filled into texts of people on the members' side. Browsers load images of the service, and those of other hosts if the operator allows it. */
export const hooksFor = ({
  service,
  ctx,
}: Pick<ReaderRequest, 'service' | 'ctx'>): Required<Pick<HtmlHooks, 'base' | 'image'>> => {
  const base = new URL(ctx.path, `${ctx.protocol}://${ctx.host}`)
  const origins = [base.origin, new URL(service.publicUrl('/'), base).origin]
  return { base, image: shownImages({ origins, foreign: service.thirdParty.has('images') }) }
}
