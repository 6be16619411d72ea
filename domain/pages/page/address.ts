import type { JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'

/** Slug of a page's step and path of the step's funnel. */
export interface StepAddress {
  readonly funnelPath: string
  readonly stepPath: string | null
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.replace(/\/+$/, '') : path)

/** A path below another, without a slash at its end. */
const joined = (path: string, below: string): string => withoutSlash(path) + withoutSlash(below) || '/'

/** The public address of a page: its own where the customer hosts it, else below its funnel, else its own path. */
export const urlOf = (
  page: JsonObject,
  origin: string | undefined,
  step: StepAddress | undefined,
  isHomepage = false,
): string | null => {
  if (page.external === true) return String(page.external_url)
  if (origin === undefined) return null
  if (step) return origin + joined(step.funnelPath, step.stepPath ?? '')
  return origin + (isHomepage ? '/' : String(page.current_path))
}

/** The compact page that other records carry. */
export const presentPageShort = ({ id, public_id, name }: Document): JsonObject => ({ id, public_id, name })
