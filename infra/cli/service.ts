import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Config, ROLES } from '../config.ts'
import { serveControl } from '../control/serve.ts'
import { type Demo, ensureDemo, fillDemo } from '../operator/demo.ts'
import { outboundClient } from '../outbound/client.ts'
import { type Background, startBackground } from '../runtime/background.ts'
import { coreOptionsIn } from '../runtime/core.ts'
import { type Listeners, startListeners } from '../runtime/listeners.ts'
import { openLogger } from '../runtime/logger.ts'
import { boundMemory } from '../runtime/memory.ts'
import { openPorts } from '../runtime/ports.ts'
import { openStores } from '../stores/open.ts'

/** How long a stop goes on when nothing but a wait is left of it, as for a store that is away. */
const STOP_WAIT_MS = 8000

const STATS = 'millrace stats funnel 1 --test'

const banner = (
  { address: api, publicUrl, pagesUrl, sdkUrl, agentsUrl, accountsUrl }: Listeners,
  config: Config,
  demo: Demo | undefined,
  signIn: string | null,
): string => {
  const key = demo?.apiKey ?? '<your API key>'
  const lines = [
    'Millrace is running.',
    '',
    `  API        ${api}`,
    `  Reference  ${api}/reference`,
    ...(publicUrl === undefined ? [] : [`  Public     ${publicUrl}`]),
    ...(pagesUrl === undefined ? [] : [`  Pages      ${pagesUrl}`]),
    ...(sdkUrl === undefined ? [] : [`  SDK        ${sdkUrl}`]),
    ...(agentsUrl === undefined ? [] : [`  Agents     ${agentsUrl}`]),
    `  Data       ${config.data}`,
    signIn === null ? `  Sign in    ${accountsUrl}/sign-in` : `  Sign in    ${signIn}   (once, within 24 hours)`,
  ]
  if (!demo) return `${lines.join('\n')}\n`
  lines.push(`  Workspace  ${demo.workspaceId}`)
  lines.push(
    demo.apiKey
      ? `  API key    ${demo.apiKey}   (shown only this once)`
      : '  API key    make one with: millrace keys create',
  )
  lines.push('', 'Try it:', '', `  curl -s ${api}/workspaces/${demo.workspaceId}/contacts \\`)
  lines.push(`    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\`)
  lines.push(`    -d '{"contact":{"email_address":"ada@example.com","first_name":"Ada"}}'`, '')
  // Its funnel is in test mode: what is bought there is in no other numbers.
  if (demo.setUp && pagesUrl !== undefined)
    lines.push(`Buy a mug at ${pagesUrl}/ and ask what happened:`, '', `  ${STATS}`, '')
  return `${lines.join('\n')}\n`
}

const readyLine = (
  { address: api, publicUrl, pagesUrl, sdkUrl, agentsUrl }: Listeners,
  demo: Demo | undefined,
  signIn: string | null,
): string => {
  const key = { workspace_id: demo?.workspaceId ?? null, api_key: demo?.apiKey ?? null }
  const urls = { api, public: publicUrl ?? null, pages: pagesUrl ?? null, sdk: sdkUrl ?? null, mcp: agentsUrl ?? null }
  return `${JSON.stringify({ ready: true, ...urls, ...key, sign_in: signIn })}\n`
}

const YOUNG_GENERATION = '--max-semi-space-size'

/**
 * Logs whether the young generation has a size of its own. With a larger one than the default of Node.js, collecting the
 * garbage of requests costs a tenth less. It can only be set when a process starts.
 */
const logYoungGeneration = (logger: Logger): void => {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')]
  const flag = given.find((each) => each.startsWith(YOUNG_GENERATION))
  if (flag) logger.info({ young_generation: flag }, 'started with a configured size of the young generation')
  else logger.info(`started without ${YOUNG_GENERATION}=32, which \`npm start\` and \`millrace\` set: writes cost more`)
}

/** Returns the link by which the first owner signs in; `null` once anybody has. */
const firstLink = async (
  { userLinks }: Background,
  { accountsUrl }: Listeners,
  logger: Logger,
): Promise<string | null> => {
  try {
    const path = await userLinks.first()
    return path === undefined ? null : accountsUrl + path
  } catch (error) {
    logger.warn({ err: error }, 'there is no link to sign in')
    return null
  }
}

/** Returns what fails as before, once something is closed: a process that exits amid the work of its threads may be aborted. */
const after =
  (close: () => Promise<unknown>) =>
  async (error: unknown): Promise<never> => {
    await close().catch(() => undefined)
    throw error
  }

/** Runs the service. @param asJson prints one line of JSON when it is ready */
export const runService = async (config: Config, asJson: boolean): Promise<void> => {
  const logger = await openLogger(config.logLevel, config.logFormat)
  const die = (error: unknown) => {
    logger.fatal({ err: error }, 'fatal error')
    logger.flush(() => process.exit(1))
  }
  logYoungGeneration(logger)
  boundMemory()
  const stores = await openStores(config, logger)
  const outbound = outboundClient({ allowPrivate: config.allowPrivateTargets })
  if (config.allowPrivateTargets) {
    logger.warn('MILLRACE_ALLOW_PRIVATE_TARGETS is on: webhooks may call this machine and its network')
  }
  for (const { host } of config.mail.servers.filter(({ ignoreTls }) => ignoreTls))
    logger.warn(
      { host },
      'mail is handed over without TLS (tls=no): whoever is on the way reads mails and the password',
    )
  const ports = await openPorts(config).catch(after(() => stores.close()))
  const background = await startBackground(stores, logger, die, config.roles, outbound, coreOptionsIn(config))
  await background.readable()
  // Processes with divided roles create no demo, because two of them would create two.
  const { accounts } = background
  const demo =
    config.demo && config.roles.length === ROLES.length
      ? await ensureDemo({ accounts, secrets: stores.secrets, isFilled: config.demo !== 'empty' })
      : undefined
  // Nobody else knows the id, so nobody else can hide requests from the log.
  const ownRequests = new Set([randomUUID()])
  const starting = startListeners(background, config, logger, ports, ownRequests)
  const listeners = await starting.catch(after(() => background.stop()))
  const warning = background.core.linksWarning()
  if (warning !== undefined) logger.warn(warning)
  const signIn = await firstLink(background, listeners, logger)
  let stopping = false
  if (stores.control)
    serveControl(stores.control, background, () => ({
      ...{ api: listeners.url, accounts: listeners.accountsUrl, ending: stopping },
    }))

  const stop = async () => {
    if (stopping) return
    stopping = true
    logger.info('stopping')
    // Without it, a wait that nothing else keeps alive would end the process at once, before its stores are closed.
    const awake = setTimeout(() => undefined, STOP_WAIT_MS)
    await listeners.stop()
    await background.stop()
    clearTimeout(awake)
    logger.flush(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop().catch(die))
  process.stdout.write(asJson ? readyLine(listeners, demo, signIn) : banner(listeners, config, demo, signIn))
  // Filled after the banner, so that the start does not wait for it.
  if (demo) {
    const [requestId = ''] = ownRequests
    const sharesSender = config.mailDomain !== undefined || config.mail.servers.length === 0
    const shop = { api: listeners.address, requestId, sharesSender, isStopping: () => stopping }
    await fillDemo(accounts, demo, shop).catch((error) =>
      logger.warn({ err: error }, 'the demo workspace could not be filled completely'),
    )
  }
  ownRequests.clear()
}
