import type { Route } from '../request.ts'
import { invitationRoutes } from './accepting.ts'
import { keyRoutes } from './keys.ts'
import { teamRoutes } from './team.ts'

/** Pages on which people join teams, and look after them. */
export const peopleRoutes: readonly Route[] = [...invitationRoutes, ...teamRoutes, ...keyRoutes]
