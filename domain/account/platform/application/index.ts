import { list, show } from '../../../resources/operations.ts'
import { serve } from '../../../resources/serve.ts'
import { asks, changes, creates, removes } from '../../../resources/writes.ts'
import { team } from '../../owners.ts'
import { platformApplication } from './model.ts'
import { platformApplications } from './rules.ts'
import { revealedClientSecret } from './secret.ts'

const APPLICATIONS = '/teams/{team_id}/platform_applications'
const APPLICATION = '/platform_applications/{id}'

/** Letters and digits of a client id, which anybody may know. */
export const CLIENT_ID_LENGTH = 32

/** PlatformApplication: a program that people connect with their workspaces. */
export const platformApplicationResource = serve(platformApplication, platformApplications, {
  title: 'PlatformApplication',
  root: 'platform_application',
  category: 'account',
  under: team,
  indexes: [{ fields: ['client_id'] }],
  operations: {
    listPlatformApplications: list(APPLICATIONS, { beyondContract: true }),
    createPlatformApplications: creates(APPLICATIONS, {
      consequence: 'lets another program ask people for access',
      beyondContract: true,
      ofTeam: true,
      reveals: revealedClientSecret,
      wanted: ({ fields, token, uuid }) => ({ ...fields, clientId: token(CLIENT_ID_LENGTH), nonce: uuid() }),
    }),
    getPlatformApplications: show(APPLICATION, { beyondContract: true }),
    updatePlatformApplications: changes(APPLICATION, {
      consequence: 'changes which program gets access, and where',
      beyondContract: true,
      ofTeam: true,
    }),
    removePlatformApplications: removes(APPLICATION, { beyondContract: true, ofTeam: true }),
    rotateSecretPlatformApplications: asks(`${APPLICATION}/rotate_secret`, 'rotate', {
      consequence: 'changes a secret that others use',
      beyondContract: true,
      ofTeam: true,
      summary: 'Makes a new secret; the one before is refused from now on',
      reveals: revealedClientSecret,
      wanted: ({ uuid }) => ({ nonce: uuid() }),
    }),
  },
})
