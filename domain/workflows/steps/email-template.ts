import { templates } from '../../emails/public.ts'
import { template } from '../../emails/template/model.ts'
import { ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { namedId } from './email-problem.ts'
import { isFilled, type OwnRecord } from './step-type.ts'

const textIn = (value: Json | undefined): string | null | undefined =>
  typeof value === 'string' || value === null ? value : undefined

/** Returns the texts that were sent. */
const textsIn = (sent: JsonObject) => {
  const [subject, html_body, text_body] = [sent.subject, sent.html_body, sent.text_body].map(textIn)
  return {
    ...(subject !== undefined && { subject }),
    ...(html_body !== undefined && { html_body }),
    ...(text_body !== undefined && { text_body }),
  }
}

const NAME = 'Email of a workflow'

/** Returns the texts of a new template: those of the one that is copied, with the subject that was sent, or else all that were sent. */
const textsOfOwn = async (sent: JsonObject, read: FactReader) => {
  const source = await readerOver(read).one(template, namedId(sent.template_id))
  const { subject } = textsIn(sent)
  if (!source) return { name: subject || NAME, ...textsIn(sent) }
  const { name, html_body, text_body } = source
  return { name, html_body, text_body, subject: subject ?? source.subject }
}

/** Template of its own that the e-mail of a step has: a copy of the one that was named, or one with the bodies that were sent. */
export const ownTemplate: OwnRecord = {
  setting: 'template_id',
  isDue: (sent, before) =>
    !isFilled(before.template_id) && [sent.template_id, sent.html_body, sent.text_body].some(isFilled),
  // Its subject is that of the template unless another was sent.
  named: (settings, id, source) => ({
    ...settings,
    subject: settings.subject ?? source?.subject ?? null,
    template_id: id,
  }),
  async texts(sent, before, read) {
    const id = typeof before.template_id === 'number' ? before.template_id : namedId(sent.template_id)
    return (await read.one(template, id)) ?? {}
  },
  async follows({ workspaceId, sent, before }, own, read) {
    if (own !== undefined)
      return [ask(templates, own, 'create', await textsOfOwn(sent, read), { isNew: true, workspaceId })]
    const texts = textsIn(sent)
    const id = before?.template_id
    return typeof id === 'number' && Object.keys(texts).length > 0 ? [ask(templates, id, 'change', texts)] : []
  },
}
