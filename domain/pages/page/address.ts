/** Slug of a page's step and path of the step's funnel. */
export interface StepAddress {
  readonly funnelPath: string
  readonly stepPath: string | null
}

/** Fields that determine the address of a page. */
interface Addressed {
  readonly external: boolean
  readonly external_url: string | null
  readonly current_path: string | null
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.replace(/(?<!\/)\/+$/, '') : path)

/** Joins a path and one below it, without a slash at the end. */
const joined = (path: string, below: string): string => withoutSlash(path) + withoutSlash(below) || '/'

/** Returns the public address of a page: its own when the customer hosts it, else one below its funnel, else its own path. */
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

/** Returns the path by which statistics name a page or its step: its slug, for an external page the path of its address. */
export const pathOf = (
  page: Pick<Addressed, 'external_url'> | undefined,
  { current_path }: Pick<Addressed, 'current_path'>,
): string => {
  if (current_path !== null) return current_path.startsWith('/') ? current_path : `/${current_path}`
  const address = page?.external_url
  return address && URL.canParse(address) ? new URL(address).pathname : '/'
}
