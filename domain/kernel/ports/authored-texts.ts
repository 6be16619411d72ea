import type { JsonObject } from '../values/event.ts'

/** Texts of a mail as their author wrote them, in Liquid. One that is absent is not looked at. */
export interface AuthoredMail {
  readonly subject?: string | null
  readonly preheadline?: string | null
  readonly html_body?: string | null
  readonly text_body?: string | null
}

/** Why a text can be part of no mail. */
export interface TextProblem {
  readonly text: keyof AuthoredMail
  readonly says: string
}

/** A text in Liquid, and what it may read. */
export interface TextToRender {
  readonly text: string
  readonly values: JsonObject
  readonly now: number
  /** Name of the tz database. */
  readonly timeZone: string
}

/** Works with texts in Liquid beside the event loop, whatever they take. Workspaces take turns. */
export interface AuthoredTexts {
  /** Tries whether texts can be a mail at all. @returns what no recipient could get, whatever is known of them */
  problemsIn(workspaceId: number, mail: AuthoredMail): Promise<readonly TextProblem[]>
  /** Renders plain text; `undefined` where that fails. */
  render(workspaceId: number, text: TextToRender): Promise<string | undefined>
}
