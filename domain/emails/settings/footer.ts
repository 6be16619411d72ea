import type { FactReader } from '../../kernel/decide/command.ts'
import type { FooterSettings } from '../composing/footer.ts'
import { settingsOf } from './view.ts'

/** Returns what marketing mail of a workspace ends with; `undefined` while its business address is incomplete, so that it sends none. */
export const footerOf = async (
  workspaceId: number,
  read: Pick<FactReader, 'get'>,
): Promise<FooterSettings | undefined> => {
  const { name, address, address_single_line, footer_alignment, unsubscribe_footer } = await settingsOf(
    workspaceId,
    read,
  )
  if (!name || !address) return undefined
  const { address_one, address_two, city, region, postal_code, country } = address
  const place = [city, region, postal_code].filter((part) => part !== null).join(' ')
  return {
    business: name,
    address: [address_one, ...(address_two === null ? [] : [address_two]), place, country],
    isSingleLine: address_single_line,
    alignment: footer_alignment,
    words: unsubscribe_footer,
  }
}
