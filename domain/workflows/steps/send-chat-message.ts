import { flag, text } from '../../kernel/model/fields.ts'
import { MESSAGE } from './message.ts'
import { stepType } from './step-type.ts'

/** Sends the contact a message. There is no messaging here, so it is accepted and never set up. */
export const sendChatMessage = stepType('send_chat_message_step', {
  fields: {
    inbox_key: text({ nullable: true }),
    message: text(MESSAGE),
    subject: text({ nullable: true }),
    start_new_conversation: flag(),
  },
  initial: { start_new_conversation: false },
  isSetUp: () => false,
  isCommunication: true,
})
