import type { ExternalServices } from '../../domain/kernel/ports/external-services.ts'
import type { Config } from '../config.ts'
import { NO_MAIL } from '../mail/settings.ts'
import { hostsOf } from './hosts.ts'
import { mailSetup } from './mail-setup.ts'

/** What is asked outside about names of hosts and of mail. */
export type Outside = Pick<ExternalServices, 'hosts' | 'mail'>

type OutsideSettings = Pick<Config, 'publicUrl' | 'sdkUrl' | 'apiUrl' | 'mcpUrl' | 'nameServer' | 'mailDomain' | 'mail'>

/** Creates what is asked about names by a configuration. */
export const outsideOf = (settings: OutsideSettings): Outside => {
  const { publicUrl, sdkUrl, apiUrl, mcpUrl, nameServer } = settings
  return { hosts: hostsOf({ own: [publicUrl, sdkUrl, apiUrl, mcpUrl], nameServer }), mail: mailSetup(settings) }
}

/** Creates what is asked about names where nothing is configured. */
export const usualOutside = (): Outside =>
  outsideOf({
    ...{ publicUrl: undefined, sdkUrl: undefined, apiUrl: undefined, mcpUrl: undefined },
    ...{ nameServer: undefined, mailDomain: undefined, mail: NO_MAIL },
  })
