import type { FactReader } from '../../kernel/decide/command.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { FooterSettings } from '../composing/footer.ts'
import type { mailSettings } from './model.ts'
import { settingsOf } from './view.ts'

const joined = (parts: readonly (string | null | undefined)[]): string => parts.filter((part) => part).join(' ')

/** Returns what marketing mail with these settings ends with; lines of the address that are empty are left out. */
export const footerFrom = (settings: RecordOf<typeof mailSettings>): FooterSettings => {
  const { name, address, address_single_line, footer_alignment, unsubscribe_footer } = settings
  const lines = address
    ? [
        address.address_one,
        address.address_two,
        joined([address.postal_code, address.city]),
        address.region_name ?? address.region,
        address.country,
      ]
    : []
  return {
    business: name ?? '',
    address: lines.filter((line): line is string => Boolean(line)),
    isSingleLine: address_single_line,
    alignment: footer_alignment,
    words: unsubscribe_footer,
  }
}

/** Returns what marketing mail of a workspace ends with; `undefined` while its business address is incomplete, so that it sends none. */
export const footerOf = async (
  workspaceId: number,
  read: Pick<FactReader, 'get'>,
): Promise<FooterSettings | undefined> => {
  const settings = await settingsOf(workspaceId, read)
  return settings.name && settings.address ? footerFrom(settings) : undefined
}
