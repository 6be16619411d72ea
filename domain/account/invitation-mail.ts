import type { MailToUser } from '../kernel/ports/user-mail.ts'
import { beginningOf } from '../kernel/values/characters.ts'
import { escapeHtml } from '../kernel/values/html.ts'

interface Invited {
  readonly to: string
  /** Name of the team. */
  readonly team: string
  readonly url: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** Longest name of a team in a subject. */
const LONGEST_NAME = 80

/** Returns the mail that invites a person to a team. The name of the team is text: nothing in it becomes a link. */
export const invitationMail = ({ to, team, url, expiresAt }: Invited): MailToUser => {
  const name = beginningOf(team.replace(/\s+/g, ' ').trim(), LONGEST_NAME)
  const until = expiresAt.slice(0, 'YYYY-MM-DD'.length)
  const invited = `You are invited to the team “${name}” on Millrace.`
  const rest = [
    `The link works until ${until}. Do not pass it on: it proves your address.`,
    'If you do not know the team, do nothing.',
  ]
  return {
    to,
    subject: `Invitation to ${name}`,
    text: `${[invited, `Accept it here:\n${url}`, ...rest].join('\n\n')}\n`,
    html: [
      `<p>${escapeHtml(invited)}</p>`,
      `<p><a href="${escapeHtml(url)}">Accept the invitation</a></p>`,
      ...rest.map((line) => `<p>${escapeHtml(line)}</p>`),
    ].join('\n'),
  }
}
