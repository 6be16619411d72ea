import type { ApiContext } from '../http/context.ts'
import { isInAdvance, isProgram } from '../http/programs.ts'

/** Programs that fetch pictures and links of mails for their users, or look for dangers in them, and may call themselves browsers. */
const PROXIES =
  /YahooCacheSystem|Barracuda|Proofpoint|Mimecast|Symantec|MessageLabs|TrendMicro|FireEye|Cisco-IronPort|Sophos|Bitdefender|SafeLinks|ms-office|Microsoft Office|Outlook-iOS|Thunderbird\/ImageCache/i

const isOfMail = (agent: string): boolean => isProgram(agent) || PROXIES.test(agent)

/** Whether a program asks for a link of a mail that looks like a browser: none of these asks for the head alone. */
export const isProbe = (ctx: Pick<ApiContext, 'method' | 'get'>): boolean =>
  ctx.method !== 'GET' && !isOfMail(ctx.get('User-Agent'))

/** Whether a request for a link of a mail says itself that a program makes it. */
export const isMachine = (ctx: Pick<ApiContext, 'method' | 'get'>): boolean =>
  ctx.method !== 'GET' || isInAdvance(ctx) || isOfMail(ctx.get('User-Agent'))
