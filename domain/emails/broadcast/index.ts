import { Type } from 'typebox'
import { field, problem } from '../../kernel/model/field.ts'
import { longText } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { list, read, show, textFilter, workspace } from '../../resources/operations.ts'
import { nullableInteger, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { shape } from '../../resources/view.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { address } from '../address/model.ts'
import { sendAction } from '../send-action/model.ts'
import { broadcast } from './model.ts'
import { senderAt } from './readiness.ts'
import { recipientContacts, recipients } from './recipients.ts'
import { broadcasts } from './rules.ts'
import { readStats, statsSchema } from './stats.ts'
import { followUps, wanted } from './wanted.ts'

const BROADCASTS = '/workspaces/{workspace_id}/emails/broadcasts'
const ONE = '/emails/broadcasts/{id}'

/** Longest token of a filter. */
const LONGEST = 100_000

const filter = field<string | number | null>(
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ maxLength: LONGEST })]),
  { nullable: true, about: 'Id of a stored contact filter, or the token of one; copied' },
  (value) =>
    (typeof value === 'string' && value.length <= LONGEST) || typeof value === 'number'
      ? { value }
      : problem('must be an id or the token of a filter', 'type'),
)

const body = (about: string) => longText({ nullable: true, about })

const input = {
  filter_id: filter,
  html_body: body('HTML of a template that is made for it, unless template_id is sent'),
  text_body: body('Plain text of that template'),
}

const openAddress = recordOf(address)

const template = shape({ id: Type.Integer(), public_id: Type.String(), name: nullableString })

/** Emails::Broadcast. */
export const broadcastResource = serve(broadcast, broadcasts, {
  title: 'Emails::Broadcast',
  root: 'emails_broadcast',
  category: 'emails',
  under: workspace,
  indexes: [{ fields: ['template_id'] }, { fields: ['status'] }],
  view: {
    template_id: 'never',
    from_name: {
      schema: nullableString,
      of: async ({ workspace_id, from_email }, load) => {
        const senders = await load.where(address.name, 'workspace_id', Number(workspace_id))
        return senderAt(senders.map(openAddress), from_email)?.name ?? null
      },
    },
    template: { one: 'template_id', shows: template },
    warnings: {
      schema: Type.Array(Type.String({ description: 'What should be mended before it is sent, in sentences' })),
      of: (_, { linksWarning }) => (linksWarning === undefined ? [] : [linksWarning]),
    },
    origination_channel_type: { schema: nullableString, of: () => null },
    origination_channel_id: { schema: nullableInteger, of: () => null },
  },
  operations: {
    listEmailsBroadcasts: list(BROADCASTS, {
      filters: { id: { type: 'id', field: 'id' }, status: textFilter('status') },
    }),
    createEmailsBroadcast: creates(BROADCASTS, {
      input: { ...input, recipients },
      prepare: recipientContacts,
      wanted,
      followUps,
      ids: () => 1,
      idsOf: sendAction,
    }),
    getEmailsBroadcast: show(ONE),
    updateEmailsBroadcast: changes(ONE, {
      ...{ method: 'PATCH', input, except: ['send_immediately'], wanted, followUps },
      consequence: 'changes a mail that is to go to many people',
      isUnseen: ({ document }) => document?.status === 'draft',
    }),
    removeEmailsBroadcast: removes(ONE),
    getEmailsBroadcastStats: read(`${ONE}/stats`, {
      schema: statsSchema,
      read: readStats,
      unprocessable: true,
      beyondContract: true,
      summary: 'How far a broadcast is, what became of its mails, and what they brought',
    }),
    pauseEmailsBroadcast: asks(`${ONE}/pause`, 'pause', {
      consequence: null,
      beyondContract: true,
      summary: 'Pauses a broadcast that is being sent',
    }),
    resumeEmailsBroadcast: asks(`${ONE}/resume`, 'resume', {
      consequence: 'goes on sending mail to many people',
      beyondContract: true,
      keepsWhatItReads: true,
      summary: 'Goes on with a broadcast, from the first contact without an outcome',
    }),
  },
})
