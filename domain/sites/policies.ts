import { workspace } from '../account/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { domain } from './domain/model.ts'
import { domains } from './domain/rules.ts'
import { isOfMachine, MACHINE } from './host.ts'
import { sites } from './site/rules.ts'
import { style, theme } from './theme/model.ts'
import { themes } from './theme/rules.ts'

/** Name of a workspace's pages until it has a domain of its own. Names below localhost resolve to the local machine everywhere. */
const firstName = (subdomain: unknown): string => `${subdomain}.${MACHINE}`

const DEFAULT_STYLES = ['Light', 'Dark'] as const

/** Creates a site, a theme with its styles, and a domain in a new workspace. */
export const workspacesBeginWithSite = policy({
  name: 'workspaces-begin-with-site',
  on: [workspace.event.WorkspaceOpened],
  react({ stream, data: { name, subdomain } }, _read, mint) {
    const styles = DEFAULT_STYLES.map((styleName) => ({ id: mint(style), name: styleName }))
    return [
      ask(sites, parseStream(stream).id, 'create', { name }),
      ask(themes, 'new', 'create', { name: 'Default', styles }),
      ask(domains, 'new', 'create', { name: firstName(subdomain) }),
    ]
  },
})

/** Makes the first theme of a workspace its default. */
export const firstThemeIsDefault = policy({
  name: 'first-theme-is-default',
  on: [theme.event.ThemeInstalled],
  react: ({ stream, metadata }) => [
    ask(sites, Number(metadata.workspace_id), 'beginWithTheme', { theme_id: parseStream(stream).id }),
  ],
})

/** Renames the default domain of a workspace when its subdomain changes, which changes the addresses of its pages. */
export const defaultDomainFollowsSubdomain = policy({
  name: 'default-domain-follows-subdomain',
  on: [workspace.event.WorkspaceChanged],
  async react(event, read) {
    const { subdomain } = event.data
    if (subdomain === undefined) return []
    const found = await read.find(domain.name, { where: { workspace_id: parseStream(event.stream).id } })
    const own = found.find(({ name }) => isOfMachine(String(name)))
    if (!own) return []
    return [ask(domains, Number(own.id), 'change', { name: firstName(subdomain) })]
  },
})

/** Gives a workspace that has lost its last domain the one back that it began with, since its pages need an address. */
export const lastDomainLeavesTheFirst = policy({
  name: 'last-domain-leaves-the-first',
  on: [domain.event.DomainRemoved],
  async react({ metadata }, read) {
    const workspaceId = Number(metadata.workspace_id)
    const found = await read.find(domain.name, { where: { workspace_id: workspaceId } })
    const [parent] = await read.getMany(workspace.name, [workspaceId])
    if (!parent || found.some(({ connected }) => connected === true)) return []
    return [ask(domains, 'new', 'create', { name: firstName(parent.subdomain) })]
  },
})
