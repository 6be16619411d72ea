import type { Route } from '../request.ts'
import { codeRoutes } from './codes.ts'
import { enrolmentRoutes } from './enrolment.ts'
import { securityPageRoutes } from './page.ts'
import { passkeyRoutes } from './passkeys.ts'
import { sessionRoutes } from './sessions.ts'

/** Pages on which users see to how they sign in. */
export const securityRoutes: readonly Route[] = [
  ...securityPageRoutes,
  ...enrolmentRoutes,
  ...codeRoutes,
  ...passkeyRoutes,
  ...sessionRoutes,
]
