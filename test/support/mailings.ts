import { contacts } from '../../domain/contacts/public.ts'
import { addresses } from '../../domain/emails/address/rules.ts'
import { beginMailing } from '../../domain/emails/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import type { Background } from '../../infra/runtime/background.ts'
import { writer } from './filled.ts'
import { carryingOut } from './service.ts'

/** A mailing that a data directory is filled with. */
export interface Filled {
  readonly workspaceId: number
  readonly mailings: readonly number[]
}

let filled = 0

/** Begins mailings to new contacts in a new workspace, one for each list of addresses. Nothing is handed over without a worker. */
export const fillMailings = async (
  background: Background,
  lists: readonly (readonly string[])[],
  html_body = '<p>Hello {{ contact.first_name }}</p>',
): Promise<Filled> => {
  const { teamId, workspaceId } = await writer(background)
  const carryOut = carryingOut(background, { teamId, workspaceId })
  const texts = { subject: 'News', preheadline: null, html_body, text_body: null }
  const content = { ...texts, footer: null, tracks_opens: false, tracks_clicks: false }
  const sender = { name: 'Shop', address: 'news@shop.example' }
  const own = { username: 'news', name: 'Shop', email_address: sender.address }
  await carryOut(ask(addresses, 'new', 'create', own))
  const mailings: number[] = []
  for (const addresses of lists) {
    const contactIds: number[] = []
    for (const email_address of addresses) {
      const uuid = `00000000-0000-4000-8000-${String(++filled).padStart(12, '0')}`
      contactIds.push(await carryOut(ask(contacts, 'new', 'create', { uuid, email_address, first_name: 'Ann' })))
    }
    const wanted = { class: 'owed' as const, kind: 'order_confirmation', cause: `filled-${++filled}` }
    mailings.push(await carryOut(beginMailing({ ...wanted, sender, content, contactIds })))
  }
  return { workspaceId, mailings }
}
