import { shownImages } from '../../domain/media/public.ts'
import type { HtmlHooks } from '../../domain/resources/html/safe-html.ts'
import type { ReaderRequest } from './request.ts'

/** Returns what is filled into texts of people on the members' side. Browsers load images of the service, and those of other hosts if the operator allows it. */
export const hooksFor = ({
  service,
  ctx,
  site,
}: Pick<ReaderRequest, 'service' | 'ctx' | 'site'>): Required<Pick<HtmlHooks, 'base' | 'image'>> => {
  const asked = `${ctx.protocol}://${ctx.host}`
  // A host is found by its name alone, so the port may be none.
  const base = new URL(ctx.path, URL.canParse(asked) ? asked : `${ctx.protocol}://${site.host}`)
  const origins = [base.origin, new URL(service.publicUrl('/'), base).origin]
  return { base, image: shownImages({ origins, foreign: service.thirdParty.has('images') }) }
}
