import type { DeadLetter, PendingTask } from '../ports/reactor-store.ts'
import { shortened } from '../values/characters.ts'

/** A dead letter as users and clients see it. */
export type Failure = Pick<DeadLetter, 'reaction' | 'position' | 'workspace_id' | 'attempts' | 'at'> & {
  /** Its lane and position: `policies:contact-12@431`. */
  readonly id: string
  /** First line of the error of the last attempt. */
  readonly error: string
}

export type FailureKey = Pick<PendingTask, 'lane' | 'position'>

/** Pattern for the id of a failure. */
export const FAILURE_ID = '^([^@]+)@(0|[1-9]\\d{0,15})$'

const ID = new RegExp(FAILURE_ID)
const MAX_CHARACTERS = 200

/** Returns the id of a dead letter. For any lane name it is safe in a shell without quotes and in a header. */
export const failureId = ({ lane, position }: FailureKey): string =>
  `${encodeURIComponent(lane).replaceAll('%3A', ':').replaceAll('%2F', '/')}@${position}`

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the lane and the position of an id; `undefined` unless the text is the only valid spelling of one. */
export const failureKey = (id: string): FailureKey | undefined => {
  const [, lane, digits] = ID.exec(id) ?? []
  const key = { lane: decode(lane ?? '') ?? '', position: Number(digits) }
  return Number.isSafeInteger(key.position) && failureId(key) === id ? key : undefined
}

/** Returns the first line of an error message, cut to 200 characters. Later lines may quote personal data. */
export const firstLine = (text: string): string => {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
  return shortened(line.replace(/\p{Cc}/gu, ' '), MAX_CHARACTERS)
}

/** Returns the failure that is shown for a dead letter. */
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

/** Address within a text. It begins where no other character of one stands before it, so that each run of characters is tried once. */
const ADDRESS = /(?<![^\s@"'<>(),;:/\\])[^\s@"'<>(),;:/\\]+@[^\s@"'<>(),;:/\\]+/gu

/** Masks everything that looks like an e-mail address, for texts that are stored or logged. Error messages may quote what was sent. */
export const withoutAddresses = (text: string): string =>
  text.includes('@') ? text.replace(ADDRESS, '[address]') : text
