import { idIn } from '../../kernel/values/ids.ts'
import { asset, download } from '../../media/public.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import type { Effect, EffectContext } from './effect.ts'
import { mailContact } from './send-email.ts'

/** Language of the texts: that of the team. */
type Locale = 'en' | 'ja' | 'pt'

const TEXTS: Readonly<Record<Locale, { readonly subject: string; readonly says: string }>> = {
  en: { subject: 'Your file: {{ downloads[0].name }}', says: 'Here is your file. The link works for a day.' },
  ja: { subject: 'ファイルのお届け：{{ downloads[0].name }}', says: 'ファイルをお届けします。リンクは1日間有効です。' },
  pt: { subject: 'Seu arquivo: {{ downloads[0].name }}', says: 'Aqui está o seu arquivo. O link funciona por um dia.' },
}

const isLocale = (value: unknown): value is Locale => typeof value === 'string' && Object.hasOwn(TEXTS, value)

const FONT = "font-family:Helvetica,Arial,'Hiragino Sans',sans-serif;font-size:16px;line-height:1.5"

const bodyOf = (says: string): string =>
  `<div style="${FONT}"><p>${says}</p><p><a href="{{ downloads[0].url }}">{{ downloads[0].name }}</a></p></div>`

/** Mails a file to the contact, as a link that works for a day from when the mail is handed over. */
export const sendAsset = (step: FrozenStep, context: EffectContext): Promise<Effect> =>
  mailContact(step, context, async () => {
    const { run, read } = context
    const found = await read.one(asset, idIn(step.settings.asset_id))
    const file = await read.one(download, found?.download_id)
    if (!file) return 'the asset is gone'
    const locale = (await read.documents.get('team', run.team_id ?? 0))?.locale
    const { subject, says } = TEXTS[isLocale(locale) ? locale : 'en']
    return {
      kind: 'asset_step',
      texts: { subject, preheadline: null, html_body: bodyOf(says), text_body: null },
      values: { downloads: [{ id: file.id, name: file.name ?? file.file_name }] },
      ...{ fromId: null, replyToId: null },
    }
  })
