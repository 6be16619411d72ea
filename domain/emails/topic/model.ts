import { managed } from '../../kernel/model/field.ts'
import { flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Topic: what a broadcast is about. Contacts choose topics. */
export const topic = model('emails/topic', {
  attributes: {
    name: text({ required: true, trim: true }),
    description: text({ nullable: true, max: 2000 }),
    archived: managed(flag({ default: false }), { shown: 'never' }),
  },
  events: {
    TopicAdded: { creates: true, except: ['archived'] },
    TopicChanged: { changes: 'rest', only: ['name', 'description'] },
    TopicArchived: { constants: { archived: true } },
  },
})
