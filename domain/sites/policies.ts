import { parseStream } from '../kernel/decider.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transact.ts'
import { type DomainCommand, domainAggregate } from './domain.ts'
import { type SiteCommand, siteAggregate } from './site/aggregate.ts'
import { type ThemeCommand, themeAggregate } from './theme/aggregate.ts'

/** Host of a workspace's pages until it has a domain of its own: names below localhost reach this machine everywhere. */
const DEFAULT_HOST = 'localhost'
const DEFAULT_STYLES = ['Light', 'Dark'] as const

const cause = (event: RecordedEvent) => ({ at: event.metadata.at, actor: workerActor('policies') })

/** A new workspace begins with a site, a theme with its styles, and a domain. */
export const workspacesBeginWithSite: Policy = {
  name: 'workspaces-begin-with-site',
  on: ['WorkspaceOpened'],
  react: (event) => [
    {
      aggregate: siteAggregate,
      id: parseStream(event.stream).id,
      command: (): SiteCommand => ({ type: 'OpenSite', name: String(event.data.name), ...cause(event) }),
    },
    {
      aggregate: themeAggregate,
      id: 'new',
      command: (mint): ThemeCommand => ({
        type: 'InstallTheme',
        name: 'Default',
        styles: DEFAULT_STYLES.map((name) => ({ id: mint('style'), name })),
        ...cause(event),
      }),
    },
    {
      aggregate: domainAggregate,
      id: 'new',
      command: (): DomainCommand => ({
        type: 'ConnectDomain',
        name: `${event.data.subdomain}.${DEFAULT_HOST}`,
        ...cause(event),
      }),
    },
  ],
}

/** The first theme of a workspace is its default. */
export const firstThemeIsDefault: Policy = {
  name: 'first-theme-is-default',
  on: ['ThemeInstalled'],
  react: (event) => [
    {
      aggregate: siteAggregate,
      id: Number(event.metadata.workspace_id),
      command: (): SiteCommand => ({
        type: 'ChooseTheme',
        themeId: parseStream(event.stream).id,
        first: true,
        ...cause(event),
      }),
    },
  ],
}
