import type { DeadLetter, PendingTask } from '../ports/reactor-store.ts'

/** A dead letter as people and programs see it. */
export type Failure = Pick<DeadLetter, 'reaction' | 'position' | 'workspace_id' | 'attempts' | 'at'> & {
  /** Its lane and position: `policies:contact-12@431`. */
  readonly id: string
  /** The first line of what its last try failed with. */
  readonly error: string
}

export type FailureKey = Pick<PendingTask, 'lane' | 'position'>

/** What a text must look like to be the id of a failure, as a pattern. */
export const FAILURE_ID = '^([^@]+)@(0|[1-9]\\d{0,15})$'

const ID = new RegExp(FAILURE_ID)
const MOST_SHOWN = 200

/** The name of what was given up; needs no quotes in a shell and no care in a header, whatever the lane is called. */
export const failureId = ({ lane, position }: FailureKey): string =>
  `${encodeURIComponent(lane).replaceAll('%3A', ':').replaceAll('%2F', '/')}@${position}`

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The lane and the position that an id names; `undefined` for a text that is none in its only valid spelling. */
export const failureKey = (id: string): FailureKey | undefined => {
  const [, lane, digits] = ID.exec(id) ?? []
  const key = { lane: decoded(lane ?? '') ?? '', position: Number(digits) }
  return Number.isSafeInteger(key.position) && failureId(key) === id ? key : undefined
}

/** What is shown of the text of an error: its first line, 200 characters of it. What follows may quote data of persons. */
export const firstLine = (text: string): string => {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
  const characters = Array.from(line.slice(0, 2 * MOST_SHOWN + 1).replace(/\p{Cc}/gu, ' '))
  return characters.length > MOST_SHOWN ? `${characters.slice(0, MOST_SHOWN - 1).join('')}…` : characters.join('')
}

export const failureOf = (letter: DeadLetter): Failure => {
  const { reaction, position, workspace_id, attempts, at } = letter
  return {
    id: failureId(letter),
    reaction,
    position,
    workspace_id,
    attempts,
    at,
    error: firstLine(letter.error),
  }
}

/** A text that is kept, or logged, with whatever looks like an e-mail address masked: messages of errors may quote what was sent. */
export const withoutAddresses = (text: string): string =>
  text.includes('@') ? text.replace(/[^\s@"'<>(),;:/\\]+@[^\s@"'<>(),;:/\\]+/gu, '[address]') : text
