/** Slug of a page's step and path of the step's funnel. */
export interface StepAddress {
  readonly funnelPath: string
  readonly stepPath: string | null
}

/** What the address of a page follows from. */
interface Addressed {
  readonly external: boolean
  readonly external_url: string | null
  readonly current_path: string | null
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.replace(/\/+$/, '') : path)

/** A path below another, without a slash at its end. */
const joined = (path: string, below: string): string => withoutSlash(path) + withoutSlash(below) || '/'

/** The public address of a page: its own where the customer hosts it, else below its funnel, else its own path. */
export const urlOf = (
  { external, external_url, current_path }: Addressed,
  origin: string | undefined,
  step: StepAddress | undefined,
  isHomepage = false,
): string | null => {
  if (external) return external_url
  if (origin === undefined) return null
  if (step) return origin + joined(step.funnelPath, step.stepPath ?? '')
  return origin + (isHomepage ? '/' : (current_path ?? ''))
}
