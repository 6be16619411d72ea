import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, rules } from '../../kernel/decide/rules.ts'
import { topic } from './model.ts'

/** Decider of topics. A topic is archived, never deleted: mails that name it stay. */
export const topics = decider(topic, {
  rules: rules(topic, {
    remove: ({ before }: ActContext<typeof topic>) => (before.archived ? [] : [topic.event.TopicArchived({})]),
  }),
})
