import { topic } from '../../domain/emails/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { FoundMail } from './recipients.ts'

/** Topic that the recipient of a mail can choose. */
export interface TopicChoice {
  readonly id: number
  readonly name: string
  readonly about: string
  readonly isWanted: boolean
}

/** Topics that a page shows. */
export const MOST_TOPICS = 100

/** Field with the ids of the topics that a page shows: those that it does not show stay as they are. */
export const SHOWN = 'topics'

/** Returns the name of the field of a topic. */
export const fieldOf = (id: number): string => `topic_${id}`

const open = recordOf(topic)

/** Returns the topics of a workspace that its recipients can choose. */
export const topicsFor = async (
  { workspace, contact }: Pick<FoundMail, 'workspace' | 'contact'>,
  live: Pick<ReadModels, 'find'>,
): Promise<readonly TopicChoice[]> => {
  const where = { workspace_id: workspace.id, archived: false }
  return (await live.find(topic.name, { where, limit: MOST_TOPICS })).map((document) => {
    const { id, name, description } = open(document)
    return { id, name, about: description ?? '', isWanted: !contact.unwanted_topic_ids.includes(id) }
  })
}

/** Returns the topics that a person does not want by a form: of those that it showed, the ones without a tick. */
export const unwantedIn = (
  sent: URLSearchParams,
  { contact }: Pick<FoundMail, 'contact'>,
  topics: readonly TopicChoice[],
): readonly number[] => {
  const shown = new Set((sent.get(SHOWN) ?? '').split(',').map(Number))
  const choices = topics.filter(({ id }) => shown.has(id))
  const others = contact.unwanted_topic_ids.filter((id) => !choices.some((choice) => choice.id === id))
  return [...others, ...choices.filter(({ id }) => sent.get(fieldOf(id)) !== '1').map(({ id }) => id)]
}
