import { beginMailing, causeOfStep, marketingSender } from '../../emails/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import { choice, list, text } from '../../kernel/model/fields.ts'
import { notification } from '../notification.ts'
import { type Effect, type EffectContext, failed, type StepSettings } from './effect.ts'
import { NO_SENDER } from './mail-contact.ts'
import { MESSAGE } from './message.ts'
import { stepType } from './step-type.ts'

/** Ways in which users are notified. */
type NotifyType = 'Email' | 'Notification'

const isWanted = ({ notify_type }: StepSettings, type: NotifyType): boolean =>
  Array.isArray(notify_type) && notify_type.includes(type)

/** Returns the mail to users; `undefined` where the workspace has no sender. It is no marketing, so nobody unsubscribes from it. */
const mailTo = async (
  userIds: readonly number[],
  message: string,
  { run, step, read }: EffectContext,
): Promise<Ask | undefined> => {
  const sender = await marketingSender(run.workspace_id ?? 0, null, read.documents)
  if (!sender) return undefined
  const texts = { subject: step.name, preheadline: null, html_body: null, text_body: message }
  return beginMailing({
    ...{ class: 'owed', kind: 'notify_step', cause: causeOfStep(run.id, step.id), sender },
    content: { ...texts, footer: null, tracks_opens: false, tracks_clicks: false },
    ...{ userIds, aboutContactId: run.contact_id },
  })
}

const effect = async (context: EffectContext): Promise<Effect> => {
  const { run, settings, referred, render } = context
  const userIds = referred('user_ids').map(({ user_id }) => Number(user_id))
  const message = String(settings.message)
  const rendered = await render(message)
  if (rendered === undefined) return failed('the message cannot be written for this contact')
  const { contact_id, workflow_id } = run
  const told = userIds.map((user_id) =>
    ask(notification.aggregate, 'new', 'create', { user_id, contact_id, workflow_id, message: rendered }),
  )
  const isMailed = isWanted(settings, 'Email')
  const mail = isMailed ? await mailTo(userIds, message, context) : undefined
  return {
    asks: [...(isWanted(settings, 'Notification') ? told : []), ...(mail ? [mail] : [])],
    ...(isMailed && !mail && { failure: NO_SENDER }),
  }
}

/** Tells users who are members of the team something about the contact: by mail, in the list of their notifications, or both. */
export const notify = stepType('notify_step', {
  fields: { message: text(MESSAGE), notify_type: list(choice(['Email', 'Notification']), { max: 2 }) },
  refers: { user_ids: { to: 'user', gone: 'the users are gone' } },
  liquid: { message: 'text_body' },
  needs: ['message', 'notify_type', 'user_ids'],
  does: { kind: 'acts', effect },
})
