import { Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { choice, list } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import type { ActionInput, ActionOperation } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import type { ReadOperation } from '../../resources/read-operation.ts'
import { nullableInteger, nullableString } from '../../resources/schemas.ts'
import { saveSettings } from '../settings/save.ts'
import { settingsOf } from '../settings/view.ts'
import { LOCALES, STANDARD_KINDS, type StandardKind } from './kinds.ts'
import { owedTemplate } from './model.ts'
import { withStandard } from './texts.ts'

const PATH = '/workspaces/{workspace_id}/emails/owed_mails'

/** Without these nobody could confirm an opt-in or sign in; they are only sent to those who ask for them. */
const ALWAYS: readonly StandardKind[] = ['opt_in_confirmation', 'sign_in']

const OPTIONAL = STANDARD_KINDS.filter((kind) => !ALWAYS.includes(kind))

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

/** Returns which mails a workspace sends, and their texts as they are now. */
const shown = async (workspaceId: number, documents: FactReader): Promise<JsonObject> => {
  const own = await readerOver(documents).find(owedTemplate, { where: { workspace_id: workspaceId } })
  const { owed_off: off } = await settingsOf(workspaceId, documents)
  const mails = STANDARD_KINDS.flatMap((kind) =>
    LOCALES.map((locale) => {
      const written = own.find((one) => one.kind === kind && one.locale === locale)
      return { kind, locale, template_id: written?.id ?? null, ...withStandard({ kind, locale }, written) }
    }),
  )
  return { off, mails }
}

const update = async (input: ActionInput): Promise<JsonObject | Refusal> => {
  const { fields, owner, read: facts } = input
  const workspaceId = Number(owner?.id)
  const refusal = Array.isArray(fields.off) ? await saveSettings(input, { owed_off: fields.off }) : undefined
  return refusal instanceof Refusal ? refusal : shown(workspaceId, facts)
}

/** Operations on the mails that a workspace owes, beyond the contract. */
export const owedMailOperations: {
  readonly [id in 'getEmailsOwedMails' | 'updateEmailsOwedMails']: ReadOperation | ActionOperation
} = {
  getEmailsOwedMails: read(PATH, {
    schema,
    beyondContract: true,
    summary: 'Which mails with a standard text a workspace sends, with their texts',
    read: ({ owner, read: facts }) => shown(Number(owner?.id), facts),
  }),
  updateEmailsOwedMails: {
    consequence: 'turns mails to buyers on or off',
    kind: 'call',
    method: 'PUT',
    path: PATH,
    beyondContract: true,
    summary: 'Turns kinds of mails with a standard text off, or on again',
    body: {
      root: 'owed_mails',
      fields: { off: list(choice(OPTIONAL), { about: 'Kinds that are not sent; absent: as before' }) },
      mode: 'change',
    },
    schema,
    answers: 200,
    call: update,
  },
}
