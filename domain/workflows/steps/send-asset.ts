import { type Locale, localeIn } from '../../emails/public.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { asset, download } from '../../media/public.ts'
import type { Effect, EffectContext } from './effect.ts'
import { mailContact } from './mail-contact.ts'
import { stepType } from './step-type.ts'

/** Texts by the language of the team. */
const TEXTS: Readonly<Record<Locale, { readonly subject: string; readonly says: string }>> = {
  en: { subject: 'Your file: {{ downloads[0].name }}', says: 'Here is your file. The link works for a day.' },
  ja: { subject: 'ファイルのお届け：{{ downloads[0].name }}', says: 'ファイルをお届けします。リンクは1日間有効です。' },
  pt: { subject: 'Seu arquivo: {{ downloads[0].name }}', says: 'Aqui está o seu arquivo. O link funciona por um dia.' },
}

const FONT = "font-family:Helvetica,Arial,'Hiragino Sans',sans-serif;font-size:16px;line-height:1.5"

const bodyOf = (says: string): string =>
  `<div style="${FONT}"><p>${says}</p><p><a href="{{ downloads[0].url }}">{{ downloads[0].name }}</a></p></div>`

const effect = (context: EffectContext): Promise<Effect> =>
  mailContact(context, async () => {
    const { run, settings, read } = context
    const found = await read.one(asset, idIn(settings.asset_id))
    const file = await read.one(download, found?.download_id)
    if (!file) return 'the asset is gone'
    const team = await read.documents.get('team', run.team_id ?? 0)
    const { subject, says } = TEXTS[localeIn(team?.locale)]
    return {
      kind: 'asset_step',
      texts: { subject, preheadline: null, html_body: bodyOf(says), text_body: null },
      values: { downloads: [{ id: file.id, name: file.name ?? file.file_name }] },
      ...{ fromId: null, replyToId: null },
    }
  })

/** Mails a file to the contact, as a link that works for a day from when the mail is handed over. */
export const sendAsset = stepType('send_asset_step', {
  refers: { asset_id: 'asset' },
  needs: ['asset_id'],
  does: { kind: 'acts', effect },
  isCommunication: true,
})
