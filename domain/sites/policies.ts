import { parseStream } from '../kernel/decider.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { domain } from './domain.ts'
import { sites } from './site/rules.ts'
import { themes } from './theme/rules.ts'

/** Host of a workspace's pages until it has a domain of its own: names below localhost reach this machine everywhere. */
const DEFAULT_HOST = 'localhost'
const DEFAULT_STYLES = ['Light', 'Dark'] as const

const cause = (event: RecordedEvent) => ({ at: event.metadata.at, actor: workerActor('policies') })

/** A new workspace begins with a site, a theme with its styles, and a domain. */
export const workspacesBeginWithSite: Policy = {
  name: 'workspaces-begin-with-site',
  on: ['WorkspaceOpened'],
  react(event) {
    const { name, subdomain } = event.data
    const { id } = parseStream(event.stream)
    const theme = (mint: (kind: string) => number) => ({
      name: 'Default',
      styles: DEFAULT_STYLES.map((style) => ({ id: mint('style'), name: style })),
    })
    const host = { name: `${subdomain}.${DEFAULT_HOST}` }
    return [
      { aggregate: sites, id, command: () => ({ type: 'create', id, wanted: { name }, ...cause(event) }) },
      {
        aggregate: themes,
        id: 'new',
        command: (mint) => ({ type: 'create', wanted: theme(mint), ...cause(event) }),
      },
      {
        aggregate: domain.aggregate,
        id: 'new',
        command: () => ({ type: 'create', wanted: host, ...cause(event) }),
      },
    ]
  },
}

/** The first theme of a workspace is its default. */
export const firstThemeIsDefault: Policy = {
  name: 'first-theme-is-default',
  on: ['ThemeInstalled'],
  react(event) {
    const id = Number(event.metadata.workspace_id)
    const wanted = { theme_id: parseStream(event.stream).id }
    return [{ aggregate: sites, id, command: () => ({ type: 'beginWithTheme', id, wanted, ...cause(event) }) }]
  },
}

/** A workspace that changes its subdomain takes its default domain along, and with it the addresses of its pages. */
export const defaultDomainFollowsSubdomain: Policy = {
  name: 'default-domain-follows-subdomain',
  on: ['WorkspaceChanged'],
  async react(event, read) {
    const { subdomain } = event.data
    if (subdomain === undefined) return []
    const domains = await read.find('domain', { where: { workspace_id: parseStream(event.stream).id } })
    const own = domains.find(({ name }) => String(name).endsWith(`.${DEFAULT_HOST}`))
    if (!own) return []
    const id = Number(own.id)
    const wanted = { name: `${subdomain}.${DEFAULT_HOST}` }
    return [{ aggregate: domain.aggregate, id, command: () => ({ type: 'change', id, wanted, ...cause(event) }) }]
  },
}
