import { mailing } from '../../../domain/emails/mailing/model.ts'

const CONTENT = {
  subject: 'News',
  preheadline: null,
  html_body:
    '<p>Hello <a href="https://shop.example/a?x=1&amp;y=2">shop</a> <a href="https://shop.example/{{ x }}">x</a></p>',
  text_body: null,
  footer: {
    business: 'Shop',
    address: ['Mill Lane 1'],
    isSingleLine: false,
    alignment: 'left' as const,
    words: null,
  },
  tracks_opens: true,
  tracks_clicks: true,
}

/** What a mailing of a broadcast to three contacts begins with. */
export const wanted = {
  class: 'marketing' as const,
  kind: 'broadcast',
  cause: 'broadcast-1-0',
  sender: { name: 'Shop', address: 'news@shop.example' },
  reply_to: null,
  domain: 'shop.example',
  topic_ids: [],
  content: CONTENT,
  values: {},
  contact_ids: [11, 12, 13],
  user_ids: [],
  about_contact_id: null,
}

const attributes = {
  ...wanted,
  status: 'open' as const,
  status_reason: null,
  paused_since: null,
  resumes_at: null,
  pauses: 0,
  takings: null,
  last_taken_at: null,
}

/** Returns the beginning of such a mailing. */
export const mailingBegun = (more: Partial<Parameters<typeof mailing.event.MailingBegun>[0]> = {}) =>
  mailing.event.MailingBegun({ ...attributes, ...more })
