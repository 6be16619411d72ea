import { Type } from 'typebox'
import { choice, list } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Shown } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import { nullableInteger, nullableString } from '../../resources/schemas.ts'
import { saves } from '../../resources/writes.ts'
import { settingsAt } from '../settings/view.ts'
import { LOCALES, STANDARD_KINDS, type StandardKind } from './kinds.ts'
import { owedTemplate } from './model.ts'
import { withStandard } from './texts.ts'

const PATH = '/workspaces/{workspace_id}/emails/owed_mails'

/** Without these nobody could confirm an opt-in or sign in; they are only sent to those who ask for them. */
const ALWAYS: readonly StandardKind[] = ['opt_in_confirmation', 'sign_in']

const OPTIONAL = STANDARD_KINDS.filter((kind) => !ALWAYS.includes(kind))

const open = recordOf(owedTemplate)

const schema = Type.Object({
  off: Type.Array(Type.Enum([...OPTIONAL]), { description: 'Kinds that the workspace does not send' }),
  mails: Type.Array(
    Type.Object({
      kind: Type.Enum([...STANDARD_KINDS]),
      locale: Type.Enum([...LOCALES]),
      template_id: { ...nullableInteger, description: 'Own text of the workspace; null: the standard one' },
      subject: Type.String(),
      preheadline: nullableString,
      html_body: nullableString,
      text_body: nullableString,
    }),
  ),
})

/** Which mails a workspace sends, and their texts as they are now. */
const shown: Shown = {
  schema,
  async of({ id, owed_off: off = [] }, load) {
    const own = (await load.where(owedTemplate.name, 'workspace_id', id)).map(open)
    const mails = STANDARD_KINDS.flatMap((kind) =>
      LOCALES.map((locale) => {
        const written = own.find((one) => one.kind === kind && one.locale === locale)
        return { kind, locale, template_id: written?.id ?? null, ...withStandard({ kind, locale }, written) }
      }),
    )
    return { off, mails }
  },
}

/** Operations on the mails that a workspace owes, beyond the contract. They are among its settings of mail. */
export const owedMailOperations = {
  getEmailsOwedMails: read(PATH, {
    schema,
    beyondContract: true,
    summary: 'Which mails with a standard text a workspace sends, with their texts',
    read: async ({ owner, load, pack }) => shown.of(await settingsAt(owner, load), load, pack),
  }),
  updateEmailsOwedMails: saves(PATH, {
    consequence: 'turns mails to buyers on or off',
    beyondContract: true,
    summary: 'Turns kinds of mails with a standard text off, or on again',
    body: {
      root: 'owed_mails',
      fields: { off: list(choice(OPTIONAL), { about: 'Kinds that are not sent; absent: as before' }) },
      mode: 'change',
    },
    wanted: ({ fields: { off } }) => (Array.isArray(off) ? { owed_off: off } : {}),
    shows: shown,
  }),
}
