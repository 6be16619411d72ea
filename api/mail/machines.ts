import type { ApiContext } from '../http/context.ts'
import { browserOf } from '../sdk/user-agent.ts'

/** Programs that fetch pictures and links of mails for their users, or look for dangers in them. */
const PROXIES =
  /GoogleImageProxy|YahooMailProxy|YahooCacheSystem|ImageProxy|Barracuda|Proofpoint|Mimecast|Symantec|MessageLabs|TrendMicro|FireEye|Cisco-IronPort|Sophos|Bitdefender|SafeLinks|ms-office|Microsoft Office|Outlook-iOS|Thunderbird\/ImageCache/i

/** Agents that say nothing of themselves, as proxies that hide their users do. */
const BLANK = /^\s*(?:Mozilla\/\d\.\d)?\s*$/

const isProgram = (agent: string): boolean => BLANK.test(agent) || PROXIES.test(agent) || browserOf(agent).bot

/** Whether a program asks for a link of a mail that looks like a browser: none of these asks for the head alone. */
export const isProbe = (ctx: Pick<ApiContext, 'method' | 'get'>): boolean =>
  ctx.method !== 'GET' && !isProgram(ctx.get('User-Agent'))

/** Whether a request for a link of a mail says itself that a program makes it. */
export const isMachine = (ctx: Pick<ApiContext, 'method' | 'get'>): boolean =>
  ctx.method !== 'GET' || isProgram(ctx.get('User-Agent'))
