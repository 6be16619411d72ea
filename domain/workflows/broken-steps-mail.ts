import type { MailToUser } from '../kernel/ports/user-mail.ts'
import { beginningOf } from '../kernel/values/characters.ts'
import { escapeHtml } from '../kernel/values/html.ts'

interface Broken {
  readonly to: string
  readonly workspace: string
  readonly workflow: { readonly id: number; readonly name: string }
  /** Names of the steps, with their settings that name something which is gone. */
  readonly steps: readonly { readonly name: string; readonly settings: readonly string[] }[]
}

const LONGEST_NAME = 80
/** Steps that the mail lists. The others are counted. */
const MOST_LISTED = 20

const shortened = (name: string): string => beginningOf(name.replace(/\s+/g, ' ').trim(), LONGEST_NAME)

/** Returns the mail that tells an admin of steps of a workflow which fail for everybody. Names are text: nothing in them becomes a link. */
export const brokenStepsMail = ({ to, workspace, workflow, steps }: Broken): MailToUser => {
  const name = shortened(workflow.name)
  const said = `In the workflow “${name}” of ${shortened(workspace)}, these steps fail for everybody, because what they name is gone:`
  const listed = steps.slice(0, MOST_LISTED).map((step) => `${shortened(step.name)} (${step.settings.join(', ')})`)
  const more = steps.length - listed.length
  const lines = more > 0 ? [...listed, `and ${more} more`] : listed
  const rest = [
    'Runs go on behind them. Give the steps something else, or delete them, and publish the workflow again.',
    `broken_steps of GET /workflows/${workflow.id} lists them at any time.`,
  ]
  return {
    to,
    subject: `Steps of the workflow ${name} fail`,
    text: `${[said, lines.map((line) => `- ${line}`).join('\n'), ...rest].join('\n\n')}\n`,
    html: [
      `<p>${escapeHtml(said)}</p>`,
      `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
      ...rest.map((line) => `<p>${escapeHtml(line)}</p>`),
    ].join('\n'),
  }
}
